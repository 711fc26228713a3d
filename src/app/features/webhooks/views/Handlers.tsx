import './handlers.css'
import { useEffect } from 'react'
import { Empty } from '../../../components/Empty'
import { useConnection } from '../../../state/connection'
import { useSettings } from '../../../state/settings'
import { useHandlers } from '../handlers'
import { HANDLER_SAMPLES } from '../samples'
import { INTRODUCTION, LIST } from '../texts'
import { Calls } from './Calls'
import { HandlerForm } from './HandlerForm'
import { HandlerList } from './HandlerList'

export default function Handlers() {
  const connection = useConnection((state) => state.connection)
  const settings = useSettings((state) => state.settings)
  const draft = useHandlers((state) => state.draft)
  useEffect(() => {
    // Another tab may have saved some since.
    if (connection) void useSettings.getState().load()
  }, [connection])
  if (settings === undefined) return <p className="arriving">{LIST.waiting}</p>
  return (
    <div className={draft === undefined ? 'handlers' : 'handlers with-one'}>
      <HandlerList handlers={settings.handlers} />
      {draft === undefined ? (
        <Introduction />
      ) : (
        <HandlerForm draft={draft} handlers={settings.handlers} />
      )}
      {draft !== undefined && <Calls name={draft.name} />}
    </div>
  )
}

function Introduction() {
  const begin = useHandlers((state) => state.begin)
  return (
    <section className="panel handlers-empty" aria-label={INTRODUCTION.region}>
      <Empty icon="plug" title={INTRODUCTION.title}>
        {INTRODUCTION.about}
        <div className="handlers-samples">
          {HANDLER_SAMPLES.map((sample) => (
            <button
              key={sample.name}
              type="button"
              className="button handlers-sample"
              onClick={() => begin(sample)}
            >
              <strong>{sample.name}</strong>
              <span className="soft">{sample.about}</span>
            </button>
          ))}
        </div>
      </Empty>
    </section>
  )
}
