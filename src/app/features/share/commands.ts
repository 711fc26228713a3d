import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'
import * as texts from './shell-texts'

const actions = () => import('./actions')

export const SHARE_COMMANDS: Command[] = [
  {
    id: 'share',
    title: texts.shareLink,
    group: texts.group,
    run: () => useView.getState().set({ dialog: 'share' }),
  },
  {
    id: 'copy-issue',
    title: texts.copyIssue,
    group: texts.group,
    run: () => void import('./copy-issue').then(({ copyAsIssue }) => copyAsIssue()),
  },
  {
    id: 'export',
    title: texts.exportCluster,
    group: texts.group,
    run: () => void actions().then(({ exportCluster }) => exportCluster()),
  },
  {
    id: 'import',
    title: texts.importCluster,
    group: texts.group,
    run: () => void actions().then(({ importCluster }) => importCluster()),
  },
  {
    id: 'reset',
    title: texts.reset,
    group: texts.group,
    run: () => void actions().then(({ resetCluster }) => resetCluster()),
  },
]
