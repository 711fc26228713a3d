/** `?workspace=NAME`. Each workspace has its own cluster and files. */
import { FIRST_WORKSPACE, isWorkspaceName, workspacePath } from '../../hosts/shared/paths'
import { BASE } from './base'
import { EMBEDDED, LESSON_PARAMETER } from './embed-parameters'
import { firstWorkspace } from './texts'

const PARAMETER = EMBEDDED ? '' : (new URLSearchParams(location.search).get('workspace') ?? '')

/** Empty for a valid name. */
export const IMPOSSIBLE_WORKSPACE = PARAMETER === '' || isWorkspaceName(PARAMETER) ? '' : PARAMETER

function named(): string {
  if (EMBEDDED) return LESSON_PARAMETER === '' ? FIRST_WORKSPACE : `lesson-${LESSON_PARAMETER}`
  return IMPOSSIBLE_WORKSPACE === '' ? PARAMETER : FIRST_WORKSPACE
}

export const WORKSPACE = named()

/** Ends with `/`. */
export const apiBase = (workspace: string): string => BASE + workspacePath(workspace)

export const API_BASE = apiBase(WORKSPACE)

export function titleOf(workspace: string): string {
  return workspace === FIRST_WORKSPACE ? firstWorkspace : workspace
}

export function ownKey(name: string): string {
  return WORKSPACE === FIRST_WORKSPACE ? name : `~${WORKSPACE}.${name}`
}

/** The page's address with another workspace. @param hash with `#`, or empty */
export function addressOf(workspace: string, hash = ''): string {
  return `${BASE}${workspace === FIRST_WORKSPACE ? '' : `?workspace=${workspace}`}${hash}`
}
