/** This tab's workspace, from `?workspace=NAME`. Each has its own cluster and files. */
import { FIRST_WORKSPACE, isWorkspaceName, workspacePath } from '../../hosts/shared/paths'
import { BASE } from './base'
import { EMBEDDED, LESSON_PARAMETER } from './embed-parameters'

const PARAMETER = EMBEDDED ? '' : (new URLSearchParams(location.search).get('workspace') ?? '')

/** The workspace parameter if it is invalid; otherwise empty. */
export const IMPOSSIBLE_WORKSPACE = PARAMETER === '' || isWorkspaceName(PARAMETER) ? '' : PARAMETER

function named(): string {
  if (EMBEDDED) return LESSON_PARAMETER === '' ? FIRST_WORKSPACE : `lesson-${LESSON_PARAMETER}`
  return IMPOSSIBLE_WORKSPACE === '' ? PARAMETER : FIRST_WORKSPACE
}

export const WORKSPACE = named()

/** Base of this workspace's API, ending with `/`. */
export const API_BASE = BASE + workspacePath(WORKSPACE)

/** What people call a workspace. */
export function titleOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? 'My cluster' : workspace
}

/** Storage key of this workspace. */
export function ownKey(name: string): string {
  return WORKSPACE === FIRST_WORKSPACE ? name : `~${WORKSPACE}.${name}`
}

/** The page's address for another workspace. @param hash with `#`, or empty */
export function addressOf(workspace: string, hash = ''): string {
  return `${BASE}${workspace === FIRST_WORKSPACE ? '' : `?workspace=${workspace}`}${hash}`
}
