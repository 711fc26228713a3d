/** Commands that open the lists of lessons and incidents. */
import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import { COMMANDS } from './texts'

export const LESSON_COMMANDS: Command[] = [
  {
    id: 'incidents',
    title: COMMANDS.incidents,
    group: 'View',
    run: () => {
      useView.getState().set({ place: 'lessons' })
      void import('./shown-list').then(({ showIncidents }) => showIncidents())
    },
  },
]
