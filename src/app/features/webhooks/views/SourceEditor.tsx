import { useRef } from 'react'
import TextEditor, { type TextEditorProps } from '../../editor/TextEditor'
import { FORM } from '../texts'

interface SourceEditorProps {
  text: string
  onChange(text: string): void
  onSave(): void
}

const OPTIONS: TextEditorProps['options'] = {
  wordWrap: 'on',
  renderLineHighlight: 'none',
  lineNumbersMinChars: 3,
}

export default function SourceEditor({ text, onChange, onSave }: SourceEditorProps) {
  const save = useRef(onSave)
  save.current = onSave
  return (
    <div className="handlers-source">
      <TextEditor
        text={text}
        language="typescript"
        label={FORM.code}
        onChange={onChange}
        onReady={(monaco, _model, editor) => {
          editor.addCommand(monaco.KeyMod.CtrlCmd | monaco.KeyCode.KeyS, () => save.current())
          return undefined
        }}
        options={OPTIONS}
      />
    </div>
  )
}
