import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useDiscovery } from '../../state/discovery'
import { useMoment } from '../../state/moment'
import { useTimeline } from '../../state/timeline'
import { notify, useView } from '../../state/view'
import { exportCluster } from '../share/actions'
import { freeName, useWorkspaces } from '../workspaces/workspaces'
import { TIMELINE } from './texts'

export function branchFrom(revision: number): void {
  useView.getState().set({
    question: {
      title: TIMELINE.branchQuestion(revision),
      text: TIMELINE.branchConsequence,
      choices: [
        { title: TIMELINE.exportFirst, run: () => void exportCluster() },
        {
          title: TIMELINE.replace,
          danger: true,
          run: () => void reportErrors(replaceBy(revision)),
        },
        {
          title: TIMELINE.newWorkspace,
          run: () => void reportErrors(branchIntoWorkspace(revision)),
        },
      ],
    },
  })
}

const reportErrors = (work: Promise<void>): Promise<void> =>
  work.catch((error: unknown) =>
    notify(TIMELINE.branchFailed(error instanceof Error ? error.message : String(error)), 'bad'),
  )

async function stateAt(revision: number) {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error(TIMELINE.notStarted)
  const { objects } = await connection.channel.request('moment', { revision })
  const { time, rate } = await connection.channel.request('clock', undefined)
  return { connection, moment: { objects, clock: { time, rate } } }
}

async function branchIntoWorkspace(revision: number): Promise<void> {
  const { connection, moment } = await stateAt(revision)
  const name = freeName(`from-${revision}`)
  await connection.channelTo(name).request('import', moment)
  useWorkspaces.getState().open(name)
}

async function replaceBy(revision: number): Promise<void> {
  const { connection, moment } = await stateAt(revision)
  await connection.channel.request('import', moment)
  useMoment.getState().show(undefined)
  useCluster.setState({ revision: 0 })
  await useDiscovery.getState().load()
  useCluster.getState().follow()
  await useTimeline.getState().read()
  notify(TIMELINE.branched(revision, moment.objects.length))
}
