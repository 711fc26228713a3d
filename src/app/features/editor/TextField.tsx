import './text-field.css'
import { lazy, Suspense } from 'react'
import type { ReadingEditorProps } from './ReadingEditor'
import type { TextEditorProps } from './TextEditor'

const ReadingEditor = lazy(() => import('./ReadingEditor'))

export type TextFieldProps = Pick<ReadingEditorProps, 'text' | 'label' | 'onChange' | 'fit' | 'of'>

/** A scrollable ancestor scrolls on at the ends of the field. */
const OPTIONS: TextEditorProps['options'] = {
  quickSuggestions: false,
  scrollbar: {
    verticalScrollbarSize: 10,
    horizontalScrollbarSize: 10,
    useShadows: false,
    alwaysConsumeMouseWheel: false,
  },
}

/** Completion is for manifests, not for values. */
const OPTIONS_OF_VALUES: TextEditorProps['options'] = {
  ...OPTIONS,
  suggestOnTriggerCharacters: false,
}

export function TextField({ fit, ...props }: TextFieldProps) {
  return (
    <div className="text-field" style={fit && { flex: 'none', minHeight: fit.least }}>
      <Suspense>
        {/* JSON is YAML too. */}
        <ReadingEditor
          {...props}
          language="yaml"
          options={props.of === 'values' ? OPTIONS_OF_VALUES : OPTIONS}
          {...(fit && { fit })}
        />
      </Suspense>
    </div>
  )
}
