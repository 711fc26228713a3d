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
]
