import { create } from 'zustand'
import { checkStep, type Evidence } from '../../../lessons/check'
import { type Incident, incidentOf } from '../../../lessons/incident'
import { INCIDENTS } from '../../../lessons/incidents'
import { useConnection } from '../../state/connection'
import { INCIDENT_HERE } from '../../state/lesson-workspace'
import { load, onStored, store } from '../../state/stored'
import { useView, WORKBENCH } from '../../state/view'
import { ownKey } from '../../state/workspace'
import { useEditors } from '../manifests/editors'
import { resetCluster } from '../share/cluster'
import { noteSolved } from './incident-progress'
import { breakCluster, clusterTime } from './incident-start'
import { INCIDENT } from './incident-texts'
import { type Write, writesIn } from './incident-writes'
import { objectAt, sendProbe } from './play'

/** Stored with the workspace. */
interface Run {
  /** Cluster time at which the cluster was broken; undefined while it is being broken. */
  begun: number | undefined
  solved: number | undefined
  /** Opened hints. */
  hints: number
  writes: readonly Write[]
}

interface IncidentState extends Run {
  incident: Incident | undefined
  checks: readonly { waitingFor: string; holds: boolean }[]
  /** Cluster time. */
  now: number
  /** Cluster time since which all checks hold. */
  heldSince: number | undefined
  busy: string | undefined
  failure: string | undefined
  enter(): Promise<void>
  look(): Promise<void>
  openHint(): void
  restart(): Promise<void>
}

const KEY = ownKey('incident')
const MOST_WRITES = 200
const FIRST: Run = { begun: undefined, solved: undefined, hints: 0, writes: [] }

const storedRun = (): Run | undefined => load<Run | undefined>(KEY, undefined)

/** A check can take longer than the time between two. */
let looking = false

export const useIncidentRoom = create<IncidentState>((set, get) => {
  const keep = (change: Partial<Run>) => {
    set(change)
    const { begun, solved, hints, writes } = get()
    store(KEY, { begun, solved, hints, writes })
  }
  return {
    ...FIRST,
    incident: undefined,
    checks: [],
    now: 0,
    heldSince: undefined,
    busy: undefined,
    failure: undefined,
    async enter() {
      const incident = incidentHere()
      if (incident === undefined || get().incident !== undefined) return
      const run = storedRun()
      set({ incident, ...run })
      if (run?.begun !== undefined) return get().look()
      await prepare(incident, run !== undefined)
    },
    async look() {
      const { incident, begun, solved, busy } = get()
      if (incident === undefined || begun === undefined || busy !== undefined || looking) return
      looking = true
      try {
        const now = await clusterTime()
        const found = solved === undefined ? await checkStep(incident.solved, EVIDENCE) : undefined
        const writes = solved === undefined ? await writesSince(begun) : get().writes
        // A restart in the meantime.
        if (get().begun !== begun) return
        set({ now })
        if (found === undefined) return
        keep({ writes })
        take(
          found.map(({ check, holds }) => ({ waitingFor: check.says, holds })),
          now,
        )
      } finally {
        looking = false
      }
    },
    openHint: () => keep({ hints: get().hints + 1 }),
    async restart() {
      const { incident } = get()
      if (incident !== undefined) await prepare(incident, true)
    },
  }

  function take(checks: IncidentState['checks'], now: number): void {
    const { incident, begun = now, writes, hints } = get()
    const heldSince = checks.every(({ holds }) => holds) ? (get().heldSince ?? now) : undefined
    set({ checks, heldSince })
    if (incident === undefined || heldSince === undefined) return
    if (now - heldSince < incident.solved.hold * 1000) return
    // The state has been right since then.
    keep({ solved: heldSince })
    noteSolved(incident.id, { milliseconds: heldSince - begun, writes: writes.length, hints })
  }

  /** @param reset removes what is left of an earlier run */
  async function prepare(incident: Incident, reset: boolean): Promise<void> {
    set({ busy: INCIDENT.preparing, failure: undefined, checks: [], heldSince: undefined })
    keep(FIRST)
    try {
      if (!reset) arrange()
      await useConnection.getState().ready
      if (reset) await resetCluster()
      await breakCluster(incident)
      keep({ begun: await clusterTime() })
    } catch (error) {
      set({ failure: error instanceof Error ? error.message : String(error) })
    } finally {
      set({ busy: undefined })
    }
    await get().look()
  }
})

// Another tab of this workspace restarted or solved it.
onStored(KEY, () => {
  const run = storedRun()
  if (run !== undefined && useIncidentRoom.getState().busy === undefined)
    useIncidentRoom.setState(run)
})

/** The sample and the welcome of a new workspace have nothing to do with the incident. */
function arrange(): void {
  useEditors.getState().openInstead([{ title: INCIDENT.file, language: 'yaml', text: '' }])
  useView.getState().set({ place: WORKBENCH, welcome: false, activity: 'console' })
}

const EVIDENCE: Evidence = { get: objectAt, send: sendProbe, requests: [], events: [] }

async function writesSince(begun: number): Promise<readonly Write[]> {
  const { connection } = useConnection.getState()
  const audit = await connection?.channel.request('audit', undefined)
  const known = new Map(useIncidentRoom.getState().writes.map((write) => [write.id, write]))
  for (const write of writesIn(audit?.items ?? [], begun)) known.set(write.id, write)
  return [...known.values()].slice(0, MOST_WRITES)
}

function incidentHere(): Incident | undefined {
  const found = INCIDENTS.find(({ id }) => id === INCIDENT_HERE?.id)
  return found && incidentOf(found, INCIDENT_HERE?.seed ?? 1)
}
