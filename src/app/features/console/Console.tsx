import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useMedia } from '../../components/media'
import { useActors } from '../../state/actors'
import { useMoment } from '../../state/moment'
import { useView } from '../../state/view'
import { ConsoleTerminal } from './terminal'
import { CONSOLE } from './texts'
import './console.css'

let shared: ConsoleTerminal | undefined
/** One per page, because its output outlives this panel. */
function theTerminal(): ConsoleTerminal {
  shared ??= new ConsoleTerminal(() => document.getElementById('activity-console')?.focus())
  return shared
}

export default function Console() {
  const terminal = theTerminal()
  const box = useRef<HTMLElement>(null)
  const touched = useMedia('(pointer: coarse), (max-width: 767px)')
  const past = useMoment(({ revision }) => revision !== undefined)
  const [running, setRunning] = useState(false)
  const actor = useActors((state) => state.actor.name)
  const namespace = useView((state) => state.namespace) || 'default'
  const theme = useView((state) => state.theme)

  useEffect(() => {
    const parent = box.current
    if (parent === null) return
    terminal.attach(parent)
    if (!touched && isWanted()) terminal.focus()
    const observer = new ResizeObserver(() => terminal.resize())
    observer.observe(parent)
    return () => observer.disconnect()
  }, [terminal, touched])
  useEffect(() => terminal.onRunning(setRunning), [terminal])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the prompt changes
  useEffect(() => terminal.refresh(), [terminal, actor, namespace])
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again when the theme changes
  useEffect(() => {
    const applyTheme = () => terminal.applyTheme()
    applyTheme()
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', applyTheme)
    return () => system.removeEventListener('change', applyTheme)
  }, [terminal, theme])

  return (
    <div className="console-panel">
      <div className="bar sub">
        <span className="soft small console-where">
          {CONSOLE.as} <strong>{actor}</strong> {CONSOLE.in} <strong>{namespace}</strong>
          {past && CONSOLE.past}
        </span>
        <span className="grow" />
        {running && (
          <button type="button" className="button small" onClick={() => terminal.interrupt()}>
            {CONSOLE.stop}
          </button>
        )}
        <button
          type="button"
          className="button quiet small"
          onClick={() => useView.getState().set({ activity: 'requests' })}
        >
          {CONSOLE.requests}
        </button>
        <button
          type="button"
          className="button quiet small"
          onClick={() => terminal.clear()}
          disabled={running}
        >
          {CONSOLE.clear}
        </button>
      </div>
      <section className="console-screen" ref={box} aria-label={CONSOLE.title} />
      {touched && <TouchLine terminal={terminal} running={running} />}
    </div>
  )
}

/** Neither arrow keys along the tabs nor the load of the page move the focus. */
function isWanted(): boolean {
  const { activeElement } = document
  return (
    navigator.userActivation?.hasBeenActive !== false &&
    !activeElement?.matches('[role=tab]:focus-visible')
  )
}

/** Opens the on-screen keyboard, and has Tab as a button. */
function TouchLine({ terminal, running }: { terminal: ConsoleTerminal; running: boolean }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (running) return
    terminal.submit(text)
    setText('')
  }
  const completeIt = () => {
    void terminal.completed(text).then(setText)
    field.current?.focus()
  }
  return (
    <form className="console-touch" onSubmit={submit}>
      <input
        ref={field}
        aria-label={CONSOLE.command}
        placeholder={CONSOLE.prompt}
        value={text}
        onChange={(event) => setText(event.target.value)}
        autoCapitalize="off"
        autoComplete="off"
        autoCorrect="off"
        spellCheck={false}
        enterKeyHint="go"
      />
      <button type="button" className="button" onClick={completeIt} aria-label={CONSOLE.complete}>
        {CONSOLE.tab}
      </button>
      <button type="submit" className="button primary" disabled={running}>
        {CONSOLE.run}
      </button>
    </form>
  )
}
