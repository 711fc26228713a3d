import { memo, useEffect, useRef } from 'react'
import { runCommand } from '../../commands/registry'
import { Empty } from '../../components/Empty'
import { type ConsoleLine, useScripts } from './runner'
import { SCRIPT_SAMPLES } from './samples'
import { OUTPUT } from './texts'

export default function Output() {
  const lines = useScripts((state) => state.lines)
  const dropped = useScripts((state) => state.dropped)
  const running = useScripts((state) => state.running)
  const clear = useScripts((state) => state.clear)
  const stop = useScripts((state) => state.stop)
  const box = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new line is the reason to move
  useEffect(() => {
    box.current?.scrollTo({ top: box.current.scrollHeight })
  }, [lines])
  if (lines.length === 0 && !running) {
    return (
      <Empty icon="console" title={OUTPUT.none}>
        {OUTPUT.about}
        <button
          type="button"
          className="button"
          onClick={() => runCommand(`script-${SCRIPT_SAMPLES[0]?.title}`)}
        >
          {OUTPUT.openSample}
        </button>
      </Empty>
    )
  }
  return (
    <>
      <div className="bar sub">
        <span className={`chip ${running ? 'good' : 'mute'}`}>
          {running ? OUTPUT.running : OUTPUT.finished}
        </span>
        <span className="grow" />
        {running && (
          <button type="button" className="button small" onClick={stop}>
            {OUTPUT.stop}
          </button>
        )}
        <button type="button" className="button quiet small" onClick={clear}>
          {OUTPUT.clear}
        </button>
      </div>
      <div className="scroll console" ref={box} role="log" aria-label={OUTPUT.title}>
        {dropped > 0 && (
          <p className="soft small" role="note">
            {OUTPUT.dropped(dropped)}
          </p>
        )}
        {lines.map((line) => (
          <Printed key={line.id} line={line} />
        ))}
      </div>
    </>
  )
}

/** Memoized: there can be thousands of lines, and none changes. */
const Printed = memo(function Printed({ line: { level, text } }: { line: ConsoleLine }) {
  return <div className={`console-line ${level}`}>{text}</div>
})
