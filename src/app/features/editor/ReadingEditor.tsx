/** An editor of text that is converted before it is sent; it marks syntax errors. */
import { useMemo } from 'react'
import { readingProblems } from '../manifests/reading-problems'
import TextEditor, { type TextEditorProps } from './TextEditor'

export interface ReadingEditorProps extends Omit<TextEditorProps, 'problems'> {
  of?: 'objects' | 'values'
}

export default function ReadingEditor({ of, ...props }: ReadingEditorProps) {
  const { text } = props
  const problems = useMemo(() => readingProblems(text, of), [text, of])
  return <TextEditor {...props} problems={problems} />
}
