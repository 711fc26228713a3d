/** The editor for a text that is not sent as it is written: what does not read is marked at its place. */
import { useMemo } from 'react'
import { readingProblems } from '../manifests/reading-problems'
import TextEditor, { type TextEditorProps } from './TextEditor'

export default function ReadingEditor(props: Omit<TextEditorProps, 'problems'>) {
  const { text } = props
  const problems = useMemo(() => readingProblems(text), [text])
  return <TextEditor {...props} problems={problems} />
}
