/** The editor for a text that is not sent as it is written: what does not read is marked at its place. */
import { useMemo } from 'react'
import { readingProblems } from '../manifests/reading-problems'
import TextEditor, { type TextEditorProps } from './TextEditor'

export interface ReadingEditorProps extends Omit<TextEditorProps, 'problems'> {
  /** The content: objects of the cluster, or arbitrary values. */
  of?: 'objects' | 'values'
}

export default function ReadingEditor({ of, ...props }: ReadingEditorProps) {
  const { text } = props
  const problems = useMemo(() => readingProblems(text, of), [text, of])
  return <TextEditor {...props} problems={problems} />
}
