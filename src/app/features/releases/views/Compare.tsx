import './comparison.css'
import { useState } from 'react'
import { ALL_RELEASES, compareReleases, type Release } from '../../../../engine/releases'
import { Empty } from '../../../components/Empty'
import { Icon } from '../../../components/Icon'
import { type Actor, useActors } from '../../../state/actors'
import { useSettings } from '../../../state/settings'
import { isStreaming } from '../comparable'
import type { Comparison } from '../compared'
import { type Draft, useComparison } from '../comparison-state'
import { COMPARE } from '../texts'
import { ComparedResponses } from './ComparedResponses'
import { DraftFields } from './DraftFields'
import { LoggedChoice } from './LoggedChoice'
import { ReleaseChoice } from './ReleaseChoice'

const NEWEST = ALL_RELEASES.at(-1) as Release

export function Compare() {
  const now = useSettings((state) => state.settings?.release)
  const draft = useComparison((state) => state.draft)
  const left = useComparison((state) => state.left) ?? now
  const right = useComparison((state) => state.right) ?? otherThan(now)
  const set = useComparison((state) => state.set)
  const [result, setResult] = useState<{ comparison: Comparison; releases: [Release, Release] }>()
  const [failure, setFailure] = useState<string>()
  const [running, setRunning] = useState(false)
  if (left === undefined) return <Empty>{COMPARE.loading}</Empty>
  const send = async () => {
    setRunning(true)
    setFailure(undefined)
    try {
      const { compareReleasesFor } = await import('../comparison')
      const comparison = await compareReleasesFor(requestOf(draft), [left, right])
      setResult({ comparison, releases: [left, right] })
    } catch (error) {
      setResult(undefined)
      setFailure(error instanceof Error ? error.message : String(error))
    }
    setRunning(false)
  }
  return (
    <div className="machine scroll">
      <form
        className="compare-form"
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div className="machine-buttons">
          <ReleaseChoice
            label={COMPARE.left}
            value={left}
            onChoose={(value) => set({ left: value })}
          />
          <ReleaseChoice
            label={COMPARE.right}
            value={right}
            onChoose={(value) => set({ right: value })}
          />
          <LoggedChoice onChoose={(chosen) => set({ draft: chosen })} />
        </div>
        <DraftFields draft={draft} onChange={(change) => set({ draft: { ...draft, ...change } })} />
        <div className="machine-buttons">
          <button
            type="submit"
            className="button primary"
            disabled={running || !draft.path.startsWith('/') || isStreaming(draft.path)}
          >
            <Icon name="play" size={14} /> {running ? COMPARE.sending : COMPARE.send}
          </button>
          <span className="soft small">
            {isStreaming(draft.path) ? COMPARE.endless : COMPARE.about}
          </span>
        </div>
      </form>
      {failure !== undefined && (
        <p className="note bad" role="alert">
          {COMPARE.failed(failure)}
        </p>
      )}
      {result && <ComparedResponses {...result} />}
    </div>
  )
}

const otherThan = (release: Release | undefined): Release =>
  release !== undefined && compareReleases(release, NEWEST) === 0 ? '1.31' : NEWEST

function requestOf({ method, path, body, contentType, who }: Draft) {
  const { actors, actor } = useActors.getState()
  const { name, groups }: Actor = actors.find((one) => one.name === who) ?? actor
  return {
    method,
    path,
    user: { name, groups },
    ...(method === 'GET' || body === '' ? {} : { body, contentType }),
  }
}
