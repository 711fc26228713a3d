import { Icon } from '../../../components/Icon'
import { Menu } from '../../../components/Menu'
import { notify, useView } from '../../../state/view'
import { download } from '../../share/actions'
import { clearProgress, importProgress, progressText } from '../progress-file'
import { PROGRESS } from '../texts'

export function ProgressMenu() {
  return (
    <Menu
      label={PROGRESS.menu}
      className="button quiet icon-only"
      side="right"
      face={<Icon name="more" />}
      items={[
        { title: PROGRESS.export, icon: 'download', run: exportProgress },
        { title: PROGRESS.import, icon: 'file', run: pickProgress },
        'line',
        { title: PROGRESS.reset, icon: 'trash', run: confirmReset },
      ]}
    />
  )
}

const exportProgress = (): void => download(PROGRESS.file, progressText())

function pickProgress(): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.json'
  input.onchange = () => void input.files?.[0]?.text().then(take)
  input.click()
}

function take(text: string): void {
  try {
    importProgress(text)
    notify(PROGRESS.imported)
  } catch (error) {
    notify(PROGRESS.invalid(error instanceof Error ? error.message : String(error)), 'bad')
  }
}

function confirmReset(): void {
  useView.getState().set({
    question: {
      title: PROGRESS.resetQuestion,
      text: PROGRESS.resetConsequence,
      choices: [{ title: PROGRESS.reset, danger: true, run: clearProgress }],
    },
  })
}
