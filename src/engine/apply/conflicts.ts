/** The 409 of a server-side apply: every path somebody else owns with another value (texts recorded). */
import { type ApiError, failure } from '../http/status'
import type { Path } from './field-set'
import { pathText } from './fields-v1'
import type { Manager } from './managed-fields'

export interface Conflict {
  manager: Manager
  path: Path
}

/** `"x"` for appliers, `"x" with subresource "status" using apps/v1` for updaters. */
function describe({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  return `${JSON.stringify(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}

export function conflictError(conflicts: readonly Conflict[]): ApiError {
  return failure(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${describe(manager)}`,
      field: pathText(path),
    })),
  })
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts
  if (conflicts.length === 1 && only) return `Apply failed with 1 conflict: conflict with ${describe(only.manager)}: ${pathText(only.path)}`
  const byManager = new Map<string, string[]>()
  for (const { manager, path } of conflicts) {
    const who = describe(manager)
    byManager.set(who, [...(byManager.get(who) ?? []), pathText(path)])
  }
  const parts = [...byManager.keys()]
    .sort()
    .flatMap((who) => [`conflicts with ${who}:`, ...(byManager.get(who) as string[]).map((path) => `- ${path}`)])
  return `Apply failed with ${conflicts.length} conflicts: ${parts.join('\n')}`
}
