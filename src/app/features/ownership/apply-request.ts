import { MEDIA_TYPE } from '../../../engine/core/names'

export interface WriteRequest {
  method: string
  /** With its query. */
  path: string
  body: string
  contentType: string
}

export interface ApplyOptions {
  manager: string
  force?: boolean
  dryRun?: boolean
}

/** @param address the object's path */
export function applyRequest(
  address: string,
  body: string,
  { manager, force, dryRun }: ApplyOptions,
): WriteRequest {
  const query = new URLSearchParams({ fieldManager: manager, fieldValidation: 'Strict' })
  if (force) query.set('force', 'true')
  if (dryRun) query.set('dryRun', 'All')
  return { method: 'PATCH', path: `${address}?${query}`, body, contentType: MEDIA_TYPE.applyPatch }
}
