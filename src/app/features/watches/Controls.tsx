import { type RefObject, useEffect, useRef, useState } from 'react'
import { Icon } from '../../components/Icon'
import { CopyAs } from '../copy-as/CopyAs'
import { isConnected, lastVersionOf, type RunningWatch, useWatches, watchedPath } from './state'
import { CONTROLS } from './texts'

const STATE: Record<RunningWatch['state'], { title: string; tone: string }> = {
  connecting: { title: CONTROLS.connecting, tone: 'mute' },
  open: { title: CONTROLS.live, tone: 'good' },
  paused: { title: CONTROLS.paused, tone: 'warn' },
  cut: { title: CONTROLS.disconnected, tone: 'bad' },
  ended: { title: CONTROLS.ended, tone: 'mute' },
  failed: { title: CONTROLS.failed, tone: 'bad' },
}

export function Controls({ watch }: { watch: RunningWatch }) {
  const pause = useWatches((state) => state.pause)
  const goOn = useWatches((state) => state.goOn)
  const cut = useWatches((state) => state.cut)
  const clear = useWatches((state) => state.clear)
  const remove = useWatches((state) => state.remove)
  const setBookmarks = useWatches((state) => state.setBookmarks)
  const { state, held, options } = watch
  const bar = useRef<HTMLDivElement>(null)
  const press = useFocusBehindPress(bar, isConnected(watch))
  return (
    <div className="bar sub watch-bar" ref={bar}>
      <span className={`chip ${STATE[state].tone}`}>{STATE[state].title}</span>
      {held.length > 0 && <span className="soft">{CONTROLS.waiting(held.length)}</span>}
      {isConnected(watch) ? (
        <>
          <button
            type="button"
            className="button small"
            onClick={() => {
              press()
              cut(watch.id)
            }}
            title={CONTROLS.disconnectTitle}
          >
            <Icon name="cut" size={14} /> {CONTROLS.disconnect}
          </button>
          <button
            type="button"
            className="button small"
            disabled={state === 'connecting'}
            onClick={() => (state === 'paused' ? goOn(watch.id) : pause(watch.id))}
          >
            <Icon name={state === 'paused' ? 'play' : 'pause'} size={14} />
            {state === 'paused' ? CONTROLS.goOn : CONTROLS.pause}
          </button>
        </>
      ) : (
        <Resume key={watch.connections.length} watch={watch} press={press} />
      )}
      <label className="check inline" title={CONTROLS.bookmarksTitle}>
        <input
          type="checkbox"
          checked={options.bookmarks}
          onChange={(event) => setBookmarks(watch.id, event.target.checked)}
        />
        {CONTROLS.bookmarks}
      </label>
      <span className="grow" />
      <CopyAs
        request={{
          method: 'GET',
          path: watchedPath(watch),
          headers: { Accept: 'application/json', Authorization: 'Bearer' },
        }}
      />
      <button type="button" className="button quiet small" onClick={() => clear(watch.id)}>
        {CONTROLS.clear}
      </button>
      <button
        type="button"
        className="button quiet icon-only small"
        aria-label={CONTROLS.close}
        onClick={() => remove(watch.id)}
      >
        <Icon name="close" size={14} />
      </button>
    </div>
  )
}

/**
 * Moves the focus to the replacement of a disappearing button.
 * @returns a function to call on a press
 */
function useFocusBehindPress(
  bar: RefObject<HTMLDivElement | null>,
  connected: boolean,
): () => void {
  const pressedWhile = useRef<boolean>(undefined)
  useEffect(() => {
    if (pressedWhile.current === undefined || pressedWhile.current === connected) return
    pressedWhile.current = undefined
    bar.current?.querySelector('button')?.focus()
  }, [bar, connected])
  return () => {
    pressedWhile.current = connected
  }
}

/** By default from the last seen version. */
function Resume({ watch, press }: { watch: RunningWatch; press: () => void }) {
  const resume = useWatches((state) => state.resume)
  const [from, setFrom] = useState(lastVersionOf(watch) ?? watch.options.resourceVersion)
  return (
    <form
      className="resume"
      onSubmit={(event) => {
        event.preventDefault()
        press()
        resume(watch.id, from.trim())
      }}
    >
      <button type="submit" className="button small primary">
        <Icon name="play" size={14} /> {CONTROLS.resume}
      </button>
      <input
        className="field mono"
        aria-label={CONTROLS.resumeVersion}
        placeholder={CONTROLS.current}
        value={from}
        inputMode="numeric"
        spellCheck={false}
        onChange={(event) => setFrom(event.target.value)}
      />
    </form>
  )
}
