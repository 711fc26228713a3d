/** Goes to a lesson, wherever one is. */

import { workspaceOfLesson } from '../../state/lesson-workspace'
import { useView, WORKBENCH } from '../../state/view'
import { WORKSPACE } from '../../state/workspace'
import { useWorkspaces } from '../workspaces/workspaces'

/** To one of the project's: the page is loaded again with its workspace, unless this is it. */
export function openLesson(id: string): void {
  openHeld(workspaceOfLesson(id))
}

/** To the workspace in which a lesson is held. */
export function openHeld(workspace: string): void {
  useView.getState().set({ place: WORKBENCH })
  if (workspace !== WORKSPACE) useWorkspaces.getState().open(workspace)
}
