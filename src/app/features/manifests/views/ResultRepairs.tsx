import { entryOf } from '../../../../engine/core/object'
import type { LoggedRequest } from '../../../state/logged-request'
import type { CarriedOut } from '../../repairs/carry-out'
import Repairs from '../../repairs/Repairs'
import type { Repair } from '../../repairs/review'
import { manifestEditedAt } from '../edit'
import { useResults } from '../results'
import type { Result } from '../run'
import { RUN } from '../texts'

interface ResultRepairsProps {
  result: Result
  sent: LoggedRequest
  auto: boolean
}

/** Changes the manifest as the repair changed the request. */
export default function ResultRepairs({ result, sent, auto }: ResultRepairsProps) {
  return (
    <Repairs
      entry={sent}
      auto={auto}
      advice={result.advice}
      onApplied={(repair, carriedOut) => settle(result, repair, carriedOut)}
      onUndone={() => restore(result)}
    />
  )
}

const OUTCOMES: Record<string, string> = { PUT: 'replaced', DELETE: 'deleted' }

function settle(result: Result, repair: Repair, { response }: CarriedOut): void {
  const { text, action, replace } = useResults.getState()
  const { message: _message, advice: _advice, address, ...rest } = result
  const name = (response.json as { metadata?: { name?: string } } | undefined)?.metadata?.name
  const outcome =
    response.status === 201 ? 'created' : (entryOf(OUTCOMES, repair.request.method) ?? 'applied')
  const settled: Result = {
    ...rest,
    ok: true,
    outcome: action === 'dry-run' ? RUN.dryRun(outcome) : outcome,
    causes: [],
    ...(address && name && action !== 'dry-run' && { target: { ...address, name } }),
    rejected: { result, text },
  }
  const edits = repair.edits.map(({ place, value }) => ({ place, value }))
  replace(result, settled, edits.length === 0 ? text : manifestEditedAt(text, result.line, edits))
}

function restore(settled: Result): void {
  const { rejected } = settled
  if (rejected !== undefined) useResults.getState().replace(settled, rejected.result, rejected.text)
}
