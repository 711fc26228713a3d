import { lazy, Suspense, useEffect, useRef } from 'react'
import { Dialog } from '../../components/Dialog'
import { Icon } from '../../components/Icon'
import { Palette } from '../../features/search/Palette'
import { dismiss, type Question, useView } from '../../state/view'
import * as texts from '../texts'

const Shortcuts = lazy(() =>
  import('./Shortcuts').then(({ Shortcuts }) => ({ default: Shortcuts })),
)
const About = lazy(() => import('./About').then(({ About }) => ({ default: About })))
const Share = lazy(() =>
  import('../../features/share/Share').then(({ Share }) => ({ default: Share })),
)
const Workspaces = lazy(() =>
  import('../../features/workspaces/Workspaces').then(({ Workspaces }) => ({
    default: Workspaces,
  })),
)
const MergeBranch = lazy(() =>
  import('../../features/workspaces/MergeBranch').then(({ MergeBranch }) => ({
    default: MergeBranch,
  })),
)
const ReleasePicker = lazy(() =>
  import('./ReleasePicker').then(({ ReleasePicker }) => ({ default: ReleasePicker })),
)
const Stored = lazy(() =>
  import('../../features/stored/Stored').then(({ Stored }) => ({ default: Stored })),
)
const StartWatch = lazy(() =>
  import('../../features/watches/StartWatch').then(({ StartWatch }) => ({ default: StartWatch })),
)

/** The palette is not lazy, because users type into it at once. */
const DIALOGS = {
  palette: Palette,
  shortcuts: Shortcuts,
  about: About,
  share: Share,
  watch: StartWatch,
  workspaces: Workspaces,
  merge: MergeBranch,
  release: ReleasePicker,
  stored: Stored,
}

export function Dialogs() {
  const dialog = useView((state) => state.dialog)
  const question = useView((state) => state.question)
  const notices = useView((state) => state.notices)
  const Shown = dialog && DIALOGS[dialog]
  const messages = useRef<HTMLDivElement>(null)
  const some = notices.length > 0
  // Notices are last, so that they are above a dialog.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another dialog is a reason to come to the top again
  useEffect(() => {
    const { current } = messages
    if (!some || current?.showPopover === undefined) return
    current.showPopover()
    return () => current.hidePopover()
  }, [some, dialog, question])
  return (
    <>
      <Suspense>
        {Shown && <Shown onClose={() => useView.getState().set({ dialog: undefined })} />}
      </Suspense>
      {question && <Confirmation question={question} />}
      <div className="notices" aria-live="polite" popover="manual" ref={messages}>
        {notices.map((notice) => (
          <p key={notice.text} className={`notice ${notice.tone}`}>
            {notice.text}
            {notice.tone === 'bad' && (
              <button type="button" aria-label={texts.dismiss} onClick={() => dismiss(notice)}>
                <Icon name="close" size={14} />
              </button>
            )}
          </p>
        ))}
      </div>
    </>
  )
}

function Confirmation({ question }: { question: Question }) {
  const close = (then?: () => void) => {
    useView.getState().set({ question: undefined })
    then?.()
  }
  return (
    <Dialog label={question.title} onClose={() => close(question.onCancel)}>
      <p>{question.text}</p>
      <div className="dialog-actions">
        <button
          type="button"
          className="button"
          data-autofocus
          onClick={() => close(question.onCancel)}
        >
          {texts.cancel}
        </button>
        {question.choices.map(({ title, danger, run }) => (
          <button
            key={title}
            type="button"
            className={`button ${danger ? 'danger solid' : 'primary'}`}
            onClick={() => close(run)}
          >
            {title}
          </button>
        ))}
      </div>
    </Dialog>
  )
}
