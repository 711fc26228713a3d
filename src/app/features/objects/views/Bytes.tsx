/** Bytes and decoded fields highlight each other on hover. */

import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import { annotateProtobuf, type WireField } from '../../../../engine/encoding/protobuf/annotate'
import { Empty } from '../../../components/Empty'
import { countText } from '../../../components/format'
import { BYTES } from '../texts'

/** Further bytes are not rendered. */
const SHOWN = 8192
const ROW = 8
const FIELDS = 2000

interface Row {
  field: WireField
  depth: number
}

interface Span {
  start: number
  content: number
  end: number
}

export default function Bytes({ bytes }: { bytes: Uint8Array }) {
  const { rows, failure } = useMemo(() => read(bytes), [bytes])
  /** Remains when the object changes. */
  const [at, setAt] = useState<number>()
  const span = at === undefined ? undefined : rows[around(rows, at)]?.field
  const tree = useRef<HTMLDivElement>(null)
  if (failure) return <Empty icon="warning">{BYTES.failed(failure)}</Empty>
  const showAt = (byte: number) => {
    setAt(byte)
    tree.current
      ?.querySelectorAll('button')
      [around(rows, byte)]?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <div className="wire-bytes">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys are for the rows inside */}
      <div className="scroll wire-tree" ref={tree} onKeyDown={step}>
        {rows.slice(0, FIELDS).map(({ field, depth }) => (
          <button
            key={`${field.start} ${depth}`}
            type="button"
            className="wire-field"
            style={{ paddingLeft: 10 + depth * 12 }}
            aria-pressed={span === field}
            title={BYTES.field(field.type || BYTES.unknownType, field.start, field.end - 1)}
            onPointerEnter={() => setAt(field.start)}
            onFocus={({ currentTarget }) => {
              setAt(field.start)
              const dump = currentTarget.closest('.wire-bytes')
              dump
                ?.querySelector(`[data-at="${field.content}"]`)
                ?.scrollIntoView({ block: 'nearest' })
            }}
          >
            <span className="wire-number">{field.number}</span>
            <span className="code-key">{field.name || BYTES.unknownName}</span>
            <span className={field.value === undefined ? 'soft cut' : 'code-text cut'}>
              {field.value ?? shortType(field.type)}
            </span>
          </button>
        ))}
        {rows.length > FIELDS && (
          <p className="soft small hex-rest">{countText(rows.length - FIELDS, BYTES.moreField)}</p>
        )}
      </div>
      <HexDump bytes={bytes} span={span} onPoint={showAt} />
    </div>
  )
}

/** The innermost field around a byte; -1 without one. */
const around = (rows: readonly Row[], at: number): number =>
  rows.findLastIndex(({ field }) => field.start <= at && at < field.end)

function read(bytes: Uint8Array): { rows: Row[]; failure?: string } {
  try {
    return { rows: flat(annotateProtobuf(bytes), 0) }
  } catch (error) {
    return { rows: [], failure: error instanceof Error ? error.message : String(error) }
  }
}

function flat(fields: readonly WireField[], depth: number): Row[] {
  return fields.flatMap((field): Row[] => [
    { field, depth },
    ...flat(field.fields ?? [], depth + 1),
  ])
}

const shortType = (type: string): string => type.replace(/^.*\.([^.]+)$/, '$1')

function step(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
  const at = all.indexOf(event.target as HTMLElement)
  if (by === undefined || at < 0) return
  event.preventDefault()
  all[Math.min(Math.max(at + by, 0), all.length - 1)]?.focus()
}

function HexDump({
  bytes,
  span,
  onPoint,
}: {
  bytes: Uint8Array
  span: Span | undefined
  onPoint(at: number): void
}) {
  const shown = bytes.subarray(0, SHOWN)
  const lines = Array.from({ length: Math.ceil(shown.length / ROW) }, (_, index) => index * ROW)
  const toneOf = (at: number): string => {
    if (at < MAGIC) return 'magic'
    if (span === undefined || at < span.start || at >= span.end) return ''
    return at < span.content ? 'tag' : 'value'
  }
  return (
    <div
      className="scroll hex"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
      tabIndex={0}
      onPointerOver={({ target }) => {
        const { at } = (target as HTMLElement).dataset
        if (at !== undefined) onPoint(Number(at))
      }}
    >
      {lines.map((offset) => (
        <div key={offset} className="hex-row">
          <span className="hex-offset">{offset.toString(16).padStart(4, '0')}</span>
          {placesIn(shown, offset).map((at) => (
            <span key={at} data-at={at} className={`hex-byte ${toneOf(at)}`}>
              {(shown[at] as number).toString(16).padStart(2, '0')}
            </span>
          ))}
          <span className="hex-text">
            {placesIn(shown, offset).map((at) => (
              <span key={at} data-at={at} className={toneOf(at)}>
                {signOf(shown[at] as number)}
              </span>
            ))}
          </span>
        </div>
      ))}
      {bytes.length > SHOWN && (
        <p className="soft small hex-rest">{countText(bytes.length - SHOWN, BYTES.moreByte)}</p>
      )}
    </div>
  )
}

function placesIn(bytes: Uint8Array, offset: number): number[] {
  return Array.from({ length: Math.min(ROW, bytes.length - offset) }, (_, index) => offset + index)
}

const signOf = (byte: number): string =>
  byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '·'

/** Length of the prefix of every Kubernetes Protobuf document. */
const MAGIC = 4
