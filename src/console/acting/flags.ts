/** Flags of commands that write. */
import type { Context, Flag, FlagValues } from '../command'
import { CommandError } from '../errors'

/** `client` does not send the request; `server` sends it with dryRun. */
export type DryRun = 'none' | 'client' | 'server'

export const DRY_RUN_FLAG: Flag = {
  name: 'dry-run',
  type: 'text',
  default: 'none',
  bare: 'unchanged',
  values: ['none', 'client', 'server'],
  about:
    'Must be "none", "server", or "client". With client, only print the object that would be sent. With server, submit a server-side request without persisting the resource.',
}

/** @throws CommandError for an unknown value */
export function dryRunOf(flags: FlagValues, { err }: Pick<Context, 'err'>): DryRun {
  const value = flags.text('dry-run')
  if (value === 'none' || value === 'client' || value === 'server') return value
  if (value === 'unchanged' || value === 'true') {
    const given =
      value === 'true' ? '--dry-run=true is deprecated (boolean value)' : '--dry-run is deprecated'
    err(`${given} and can be replaced with --dry-run=client.\n`)
    return 'client'
  }
  if (value === 'false') {
    err('--dry-run=false is deprecated (boolean value) and can be replaced with --dry-run=none.\n')
    return 'none'
  }
  throw new CommandError(`Invalid dry-run value (${value}). Must be "none", "server", or "client".`)
}

export const fieldManagerFlag = (byDefault: string): Flag => ({
  name: 'field-manager',
  type: 'text',
  default: byDefault,
  about: 'Name of the manager used to track field ownership.',
})

export const VALIDATE_FLAG: Flag = {
  name: 'validate',
  type: 'text',
  default: 'strict',
  bare: 'strict',
  values: ['strict', 'warn', 'ignore'],
  about:
    'Must be one of strict (or true), warn, ignore (or false): whether the server rejects unknown or duplicate fields, warns about them, or drops them.',
}

/** @throws CommandError for an unknown value */
export function fieldValidationOf(flags: FlagValues): 'Strict' | 'Warn' | 'Ignore' {
  const value = flags.text('validate').toLowerCase()
  if (value === 'strict' || value === 'true') return 'Strict'
  if (value === 'warn') return 'Warn'
  if (value === 'ignore' || value === 'false') return 'Ignore'
  throw new CommandError(
    `invalid - validate option ${JSON.stringify(value)}; must be one of: strict (or true), warn, ignore (or false)`,
  )
}

export const SAVE_CONFIG_FLAG: Flag = {
  name: 'save-config',
  type: 'on',
  about:
    'If true, the configuration of the current object is saved in its annotation, for a later kubectl apply.',
}
export const ALL_FLAG: Flag = {
  name: 'all',
  type: 'on',
  about: 'Select all resources of the specified resource types in the namespace.',
}
export const LABELS_FLAG: Flag = {
  name: 'selector',
  short: 'l',
  type: 'text',
  about:
    "Selector (label query) to filter on, supports '=', '==', and '!='. (e.g. -l key1=value1,key2=value2)",
}
export const FIELDS_FLAG: Flag = {
  name: 'field-selector',
  type: 'text',
  about:
    "Selector (field query) to filter on, supports '=', '==', and '!='. (e.g. --field-selector status.phase=Running)",
}
export const EVERYWHERE_FLAG: Flag = {
  name: 'all-namespaces',
  short: 'A',
  type: 'on',
  about: 'If present, apply to the requested objects across all namespaces.',
}
export const CHUNK_SIZE_FLAG: Flag = {
  name: 'chunk-size',
  type: 'number',
  default: '500',
  about: 'Return large lists in chunks rather than all at once. Pass 0 to disable.',
}
export const RECURSIVE_FLAG: Flag = {
  name: 'recursive',
  short: 'R',
  type: 'on',
  about: 'Accepted for compatibility; open files have no directories.',
}
export const LOCAL_FLAG: Flag = {
  name: 'local',
  type: 'on',
  about:
    'If true, run locally: change the objects of -f and print them without contacting the server.',
}

export function writeQuery(
  flags: FlagValues,
  dryRun: DryRun,
  strict = true,
): Record<string, string | undefined> {
  return {
    fieldManager: flags.text('field-manager') || undefined,
    dryRun: dryRun === 'server' ? 'All' : undefined,
    fieldValidation: strict ? fieldValidationOf(flags) : undefined,
  }
}
