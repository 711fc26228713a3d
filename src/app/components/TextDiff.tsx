/** Markers repeat the meaning of the colors. */
import './text-diff.css'
import { diffLines } from 'diff'
import { useMemo } from 'react'

interface TextDiffProps {
  before: string
  after: string
}

const MARKERS = { added: '+', removed: '−', same: ' ' } as const
const WORDS = { added: 'added: ', removed: 'removed: ', same: '' } as const

export function TextDiff({ before, after }: TextDiffProps) {
  const lines = useMemo(
    () =>
      diffLines(before, after).flatMap(({ added, removed, value }) => {
        const what = added ? 'added' : removed ? 'removed' : 'same'
        return value
          .replace(/\n$/, '')
          .split('\n')
          .map((text) => ({ what, text }) as const)
      }),
    [before, after],
  )
  return (
    <pre className="text-diff mono">
      {lines.map(({ what, text }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: lines have no identity but their place
        <span key={index} className={what}>
          <span aria-hidden="true" className="sign">
            {MARKERS[what]}
          </span>
          <span className="visually-hidden">{WORDS[what]}</span>
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  )
}
