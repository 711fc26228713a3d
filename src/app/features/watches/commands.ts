import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import * as texts from './shell-texts'

export const WATCH_COMMANDS: Command[] = [
  {
    id: 'watch',
    title: texts.startWatch,
    group: texts.group,
    keys: 'Mod+Shift+E',
    run: () => useView.getState().set({ dialog: 'watch' }),
  },
  {
    id: 'compact',
    title: texts.compact,
    group: texts.group,
    run: () => void import('./compaction').then(({ confirmCompact }) => confirmCompact()),
  },
]
