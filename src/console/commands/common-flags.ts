/** Flags that several commands share. */
import type { Flag, FlagValues } from '../command'

/** Which objects of a type. */
export const SELECTOR_FLAGS: readonly Flag[] = [
  { name: 'selector', short: 'l', type: 'text', about: 'Only objects with these labels: app=web,tier!=cache' },
  { name: 'field-selector', type: 'text', about: 'Only objects with these fields: status.phase=Running' },
  { name: 'all-namespaces', short: 'A', type: 'on', about: 'Of all namespaces.' },
]

/** What the flags choose; undefined where they are not given. */
export function selectorsOf(flags: FlagValues): { selector: string | undefined; fieldSelector: string | undefined } {
  return {
    selector: flags.text('selector') || undefined,
    fieldSelector: flags.text('field-selector') || undefined,
  }
}

/** `-f`, of commands that act on manifests. */
export const FILE_FLAGS: readonly Flag[] = [
  { name: 'filename', short: 'f', type: 'list', values: 'files', about: 'An open manifest by its name, or - for what is piped in.' },
  {
    name: 'kustomize',
    short: 'k',
    type: 'text',
    about: 'Not taken.',
    refused: '-k is not available here: kustomize needs folders of files',
  },
]
