/** The 409 of a server-side apply. Messages recorded from kube-apiserver 1.31. */
import { type ApiError, failure } from '../http/status'
import type { Conflict } from './find-conflicts'
import { identityOf, type Manager } from './managed-fields'
import { pathText } from './path-elements'

/** `"x"` for appliers, `"x" with subresource "status" using apps/v1` for updaters. */
function described({ name, operation, apiVersion, subresource }: Manager): string {
  const through = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`
  return `${JSON.stringify(name)}${through}${operation === 'Update' ? ` using ${apiVersion}` : ''}`
}

export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const error = failure(409, 'Conflict', conflictMessage(conflicts), {
    causes: conflicts.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${described(manager)}`,
      field: pathText(path),
    })),
  })
  error.grounds = { by: 'field ownership', conflicts: conflicts.map(({ path }) => path) }
  return error
}

function conflictMessage(conflicts: readonly Conflict[]): string {
  const [only] = conflicts
  if (conflicts.length === 1 && only)
    return `Apply failed with 1 conflict: conflict with ${described(only.manager)}: ${pathText(only.path)}`
  const lines: string[] = []
  let last = ''
  for (const { manager, path } of conflicts) {
    const identity = identityOf(manager)
    if (identity !== last) lines.push(`conflicts with ${described(manager)}:`)
    last = identity
    lines.push(`- ${pathText(path)}`)
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`
}
