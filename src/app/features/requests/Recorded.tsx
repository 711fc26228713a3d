import { Icon } from '../../components/Icon'
import { VirtualRows } from '../../components/VirtualRows'
import { isSame, type Replayed } from '../share/replay'
import type { RecordedRequest } from '../share/scenario'
import { useScenario } from '../share/scenario-state'
import { RECORDED } from './texts'

interface Row {
  at: number
  request: RecordedRequest
  replayed: Replayed | undefined
}

export function Recorded() {
  const from = useScenario((state) => state.from)
  const recorded = useScenario((state) => state.recorded)
  const replayed = useScenario((state) => state.replayed)
  const replaying = useScenario((state) => state.replaying)
  const step = useScenario((state) => state.step)
  const replay = useScenario((state) => state.replay)
  const rows = recorded.map((request, at): Row => ({ at, request, replayed: replayed[at] }))
  const left = recorded.length - replayed.length
  const same = rows.filter((row) => isSame(row.request, row.replayed)).length
  return (
    <>
      <div className="bar sub">
        <span className="soft">
          {from ? RECORDED.from(from) : ''}
          {replayed.length === 0
            ? RECORDED.noneSent(recorded.length)
            : RECORDED.matching(same, replayed.length)}
        </span>
        <span className="grow" />
        <button
          type="button"
          className="button small"
          disabled={replaying || left === 0}
          onClick={() => void step()}
        >
          {RECORDED.sendNext}
        </button>
        <button
          type="button"
          className="button small primary"
          disabled={replaying || left === 0}
          onClick={() => void replay()}
        >
          <Icon name="play" size={12} /> {replaying ? RECORDED.replaying : RECORDED.replayAll}
        </button>
      </div>
      <VirtualRows
        items={rows}
        keyOf={({ at }) => at}
        label={RECORDED.requests}
        row={(row) => <RecordedRow row={row} />}
      />
    </>
  )
}

function RecordedRow({ row: { request, replayed } }: { row: Row }) {
  const { method, path, who, status } = request
  const [place, query] = path.split('?')
  return (
    <button
      type="button"
      className="row recorded-row"
      title={replayed && 'skipped' in replayed ? RECORDED.notSent(replayed.skipped) : path}
    >
      <span className={`method ${method.toLowerCase()}`}>{method}</span>
      <span className="cut path">
        {place}
        {query && <span className="query">?{query}</span>}
      </span>
      <span className="who cut">{who}</span>
      <span className={`status ${status >= 400 ? 'bad' : 'good'}`}>{status}</span>
      <span className="cut">{outcomeOf(request, replayed)}</span>
    </button>
  )
}

function outcomeOf(request: RecordedRequest, replayed: Replayed | undefined): string {
  if (replayed === undefined) return ''
  if ('skipped' in replayed) return RECORDED.skipped
  return isSame(request, replayed) ? RECORDED.same : RECORDED.otherStatus(replayed.status)
}
