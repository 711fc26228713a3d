/** What a script prints. */
import { useEffect, useRef } from 'react'
import { useScripts } from '../scripts/runner'
import { SCRIPT_SAMPLES } from '../scripts/samples'
import { useEditors } from '../state/editors'
import { useView } from '../state/view'

export function Console() {
  const { lines, running, clear } = useScripts()
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line scrolls into view
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lines.length])
  if (lines.length === 0) {
    return (
      <div className="empty">
        <strong>{running ? 'Running …' : 'No output yet'}</strong>
        Scripts use plain fetch and run in a worker of their own.
        {!running && (
          <button
            type="button"
            className="button"
            onClick={() => {
              const sample = SCRIPT_SAMPLES[0]
              if (sample) useEditors.getState().open({ title: sample.title, language: 'typescript', text: sample.text })
              useView.getState().set({ pane: 'editor' })
            }}
          >
            Open a sample script
          </button>
        )}
      </div>
    )
  }
  return (
    <>
      <div className="scroll" ref={box} role="log" aria-label="Script output">
        {lines.map(({ id, level, text }) => (
          <div key={id} className={`console-line ${level}`}>
            {text}
          </div>
        ))}
      </div>
      <div className="bar" style={{ borderTop: '1px solid var(--line)', borderBottom: 0, minHeight: 36 }}>
        <span className="soft">{running ? 'Running …' : 'Finished'}</span>
        <span className="grow" />
        <button type="button" className="button quiet" onClick={clear}>
          Clear
        </button>
      </div>
    </>
  )
}
