/** Commands that share, export and import. */
import type { Command } from '../../commands/registry'
import { useView } from '../../state/view'

const actions = () => import('./actions')

export const SHARE_COMMANDS: Command[] = [
  {
    id: 'share',
    title: 'Share a link',
    group: 'Cluster',
    run: () => useView.getState().set({ dialog: 'share' }),
  },
  {
    id: 'copy-issue',
    title: 'Copy as issue: the last requests, with a link to all this',
    group: 'Cluster',
    run: () => void import('./copy-issue').then(({ copyAsIssue }) => copyAsIssue()),
  },
  {
    id: 'export',
    title: 'Export the cluster as YAML',
    group: 'Cluster',
    run: () => void actions().then(({ exportCluster }) => exportCluster()),
  },
  {
    id: 'import',
    title: 'Import a cluster from YAML',
    group: 'Cluster',
    run: () => void actions().then(({ importCluster }) => importCluster()),
  },
  {
    id: 'reset',
    title: 'Reset the cluster',
    group: 'Cluster',
    run: () => void actions().then(({ resetCluster }) => resetCluster()),
  },
]
