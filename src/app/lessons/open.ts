/** Goes to a lesson: to its workspace, or to where it is held already. */
import { useView, WORKBENCH } from '../state/view'
import { useWorkspaces } from '../state/workspaces'
import { LESSON_HERE, workspaceOfLesson } from './progress'

export function openLesson(id: string): void {
  useView.getState().set({ place: WORKBENCH })
  if (id !== LESSON_HERE) useWorkspaces.getState().open(workspaceOfLesson(id))
}
