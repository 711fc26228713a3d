/** Opens a lesson. */

import { workspaceOfIncident, workspaceOfLesson } from '../../state/lesson-workspace'
import { useView, WORKBENCH } from '../../state/view'
import { WORKSPACE } from '../../state/workspace'
import { useWorkspaces } from '../workspaces/workspaces'

export function openLesson(id: string): void {
  openHeld(workspaceOfLesson(id))
}

/** @param seed draws its names and numbers */
export function openIncident(id: string, seed: number): void {
  openHeld(workspaceOfIncident(id, seed))
}

export function openHeld(workspace: string): void {
  useView.getState().set({ place: WORKBENCH })
  if (workspace !== WORKSPACE) useWorkspaces.getState().open(workspace)
}
