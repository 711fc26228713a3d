import './effects.css'
import { useEffect, useState } from 'react'
import { SERVER_SIDE_MANAGER } from '../../../../console/managers'
import type { KubeObject } from '../../../../engine/core/object'
import { get } from '../../../state/client'
import { pathOf } from '../../../state/discovery'
import { selectObject, useView } from '../../../state/view'
import { Explain } from '../../explain/Explain'
import { managerOf, useResults } from '../../manifests/results'
import type { ObjectAddress, Result } from '../../manifests/run'
import { conflictsOf } from '../effects'
import { CONFLICT_HELP, liveUnreadable, ownersOfRest } from '../texts'
import type { LiveConflicts } from '../way-outcome'
import { documentAt } from '../ways-out'
import { Conflicts } from './Conflicts'
import { StaleManifest } from './StaleManifest'
import { WaysOut } from './WaysOut'

const { sentences } = CONFLICT_HELP

export default function ConflictHelp({ result }: { result: Result }) {
  const text = useResults((state) => state.text)
  const tab = useResults((state) => state.tab)
  const manager = managerOf(tab) || SERVER_SIDE_MANAGER
  const found = useLiveConflicts(result, text)
  const { address: request } = result
  if (found === undefined || request === undefined)
    return <p className="soft">{CONFLICT_HELP.loading}</p>
  if ('failure' in found) return <p className="note bad">{liveUnreadable(found.failure)}</p>
  return (
    <div className="conflict-help">
      <Conflicts conflicts={found.conflicts} manager={manager} request={request} />
      <StaleManifest />
      <WaysOut result={result} request={request} known={found} manager={manager} />
      <p className="soft small">
        {sentences.source}{' '}
        <Explain word="query" name="dryRun">
          {sentences.dryRun}
        </Explain>
        {sentences.whatIs}{' '}
        <Explain word="cause" name="FieldManagerConflict">
          {sentences.conflict}
        </Explain>
        {sentences.whatDoes}{' '}
        <Explain word="query" name="force">
          {sentences.force}
        </Explain>{' '}
        {sentences.do}{' '}
        <button type="button" className="link" onClick={() => showOwners(request)}>
          {ownersOfRest(request.name)}
        </button>
      </p>
    </div>
  )
}

function useLiveConflicts(
  { address, causes, line }: Result,
  text: string,
): LiveConflicts | { failure: string } | undefined {
  const [found, setFound] = useState<LiveConflicts | { failure: string }>()
  useEffect(() => {
    if (address === undefined) return
    let current = true
    get<KubeObject>(pathOf(address.resource, address.namespace, address.name)).then(
      (live) =>
        current && setFound({ live, conflicts: conflictsOf(causes, documentAt(text, line), live) }),
      (error: unknown) =>
        current && setFound({ failure: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      current = false
    }
  }, [address, causes, text, line])
  return found
}

function showOwners(request: ObjectAddress): void {
  useView.getState().set({ objectTab: 'ownership' })
  selectObject(request)
}
