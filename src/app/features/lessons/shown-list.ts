/** Whether the view shows the lessons or the incidents. */
import { create } from 'zustand'
import { load, store } from '../../state/stored'
import { useView } from '../../state/view'
import { useAuthor } from './author'

export type ShownList = 'lessons' | 'incidents'

const KEY = 'lessons-shown'

export const useShownList = create<{ list: ShownList; show(list: ShownList): void }>((set) => ({
  list: load<string>(KEY, 'lessons') === 'incidents' ? 'incidents' : 'lessons',
  show(list) {
    set({ list })
    store(KEY, list)
  },
}))

export const showIncidents = (): void => showList('incidents')
export const showLessons = (): void => showList('lessons')

function showList(list: ShownList): void {
  useAuthor.getState().close()
  useShownList.getState().show(list)
  useView.getState().set({ place: 'lessons' })
}
