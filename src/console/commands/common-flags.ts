/** Flags that several commands share. */
import type { Flag, FlagValues } from '../command'

export const SELECTOR_FLAGS: readonly Flag[] = [
  {
    name: 'selector',
    short: 'l',
    type: 'text',
    about:
      "Selector (label query) to filter on, supports '=', '==', and '!='. (e.g. -l key1=value1,key2=value2)",
  },
  {
    name: 'field-selector',
    type: 'text',
    about:
      "Selector (field query) to filter on, supports '=', '==', and '!='. (e.g. --field-selector status.phase=Running)",
  },
  {
    name: 'all-namespaces',
    short: 'A',
    type: 'on',
    about: 'If present, list the requested objects across all namespaces.',
  },
]

export function selectorsOf(flags: FlagValues): {
  selector: string | undefined
  fieldSelector: string | undefined
} {
  return {
    selector: flags.text('selector') || undefined,
    fieldSelector: flags.text('field-selector') || undefined,
  }
}

/** `-f`, for commands that act on manifests. */
export const FILE_FLAGS: readonly Flag[] = [
  {
    name: 'filename',
    short: 'f',
    type: 'list',
    values: 'files',
    about: 'Name of an open file, or - for stdin, that identifies the resources.',
  },
  {
    name: 'kustomize',
    short: 'k',
    type: 'text',
    unavailable: 'kustomize needs directories',
  },
]
