/** The subcommands of `kubetab`; without one, it serves the API. Each loads when it is called. */
import type { Command } from './command'

export interface CommandEntry {
  name: string
  summary: string
  load(): Promise<Command>
}

export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'check',
    summary: 'Check manifests against a Kubernetes release and admission policies',
    load: async () => (await import('./check/command')).CHECK,
  },
  {
    name: 'diff',
    summary: 'Compare what two directories or two releases store',
    load: async () => (await import('./diff/command')).DIFF,
  },
  {
    name: 'import',
    summary: 'Copy the objects of a cluster to a file',
    load: async () => (await import('./cluster-import/command')).IMPORT,
  },
]
