import { useEffect, useMemo, useState } from 'react'
import { Dialog } from '../../components/Dialog'
import { load, store } from '../../state/stored'
import { encodeScenario } from './link'
import { type Choice, firstChoice, type Holdings, holdings, scenarioFrom } from './offer'
import { ShareContents } from './ShareContents'
import { ShareLink } from './ShareLink'
import { StartingPoint } from './StartingPoint'
import { SHARE } from './texts'

/** Storage key of the sender's name. */
const NAME = 'sharing-as'

export function Share({ onClose }: { onClose: () => void }) {
  const [held, setHeld] = useState<Holdings>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    holdings().then(setHeld, (error: unknown) =>
      setFailure(error instanceof Error ? error.message : String(error)),
    )
  }, [])
  return (
    <Dialog label={SHARE.title} onClose={onClose}>
      {held ? <Offer held={held} /> : <p>{failure ? SHARE.failed(failure) : SHARE.loading}</p>}
    </Dialog>
  )
}

function Offer({ held }: { held: Holdings }) {
  const [choice, setChoice] = useState<Choice>(() => firstChoice(held, load(NAME, '')))
  const change = (part: Partial<Choice>) => setChoice({ ...choice, ...part })
  const scenario = useMemo(() => scenarioFrom(held, choice), [held, choice])
  const hash = useMemo(() => encodeScenario(scenario), [scenario])
  return (
    <>
      <p className="soft">
        {SHARE.holds(scenario.objects.length, scenario.tabs.length, scenario.requests?.length ?? 0)}
      </p>
      <StartingPoint held={held} choice={choice} change={change} />
      <ShareContents held={held} choice={choice} change={change} />
      <label className="form-line">
        <span>{SHARE.from}</span>
        <input
          className="field"
          placeholder={SHARE.yourName}
          maxLength={80}
          value={choice.from}
          onChange={(event) => {
            change({ from: event.target.value })
            store(NAME, event.target.value)
          }}
        />
      </label>
      <ShareLink hash={hash} />
      <p className="soft small">{SHARE.excluded}</p>
    </>
  )
}
