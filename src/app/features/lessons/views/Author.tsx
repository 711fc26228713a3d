import './author.css'
import { lazy, Suspense, useMemo, useState } from 'react'
import { LESSONS } from '../../../../lessons/catalog'
import { lessonText, type TextualProblem } from '../../../../lessons/text'
import { copyText } from '../../../components/copy'
import { Icon } from '../../../components/Icon'
import { Menu, type MenuEntry } from '../../../components/Menu'
import { Segments } from '../../../components/Segments'
import { notify } from '../../../state/view'
import { addressOf } from '../../../state/workspace'
import { download } from '../../share/actions'
import { useAuthor } from '../author'
import { encodeLesson } from '../link'
import { TEMPLATE } from '../template'
import { AUTHOR } from '../texts'
import { LessonPreview } from './LessonPreview'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

/** Some chat and mail programs break longer addresses. */
const COMFORTABLE_LINK = 8_000
const MOST_SHOWN = 8

export default function Author() {
  const text = useAuthor((state) => state.text)
  const lesson = useAuthor((state) => state.lesson)
  const problems = useAuthor((state) => state.problems)
  const played = useAuthor((state) => state.played)
  const edit = useAuthor((state) => state.edit)
  const check = useAuthor((state) => state.check)
  const tryIt = useAuthor((state) => state.tryIt)
  const close = useAuthor((state) => state.close)
  const [side, setSide] = useState<'text' | 'reading'>('text')
  const marks = useMemo(
    () => problems.map((problem) => ({ ...problem, severity: 'error' as const })),
    [problems],
  )
  const sound = lesson !== undefined && problems.length === 0
  return (
    <section className="panel author" data-side={side}>
      <header className="bar">
        <button type="button" className="button quiet small" onClick={close}>
          <Icon name="learn" size={14} /> {AUTHOR.back}
        </button>
        <h2 className="cut">{lesson?.title ?? AUTHOR.title}</h2>
        <span className="author-sides">
          <Segments
            label={AUTHOR.shown}
            value={side}
            choices={[
              { value: 'text', title: AUTHOR.source },
              { value: 'reading', title: AUTHOR.preview },
            ]}
            onChoose={setSide}
          />
        </span>
        <span className="grow" />
        <FileMenu />
        <button
          type="button"
          className="button small"
          disabled={!sound || played?.state === 'playing'}
          onClick={() => void check()}
        >
          <Icon name="check" size={14} /> {AUTHOR.check}
        </button>
        <button
          type="button"
          className="button small primary"
          disabled={!sound}
          onClick={() => void tryIt()}
        >
          <Icon name="play" size={14} /> {AUTHOR.tryIt}
        </button>
      </header>
      <div className="author-halves">
        <div className="author-text">
          <div className="author-editor">
            <Suspense>
              <TextEditor
                text={text}
                language="yaml"
                label={AUTHOR.sourceLabel}
                problems={marks}
                onChange={edit}
                options={{ quickSuggestions: false, wordWrap: 'on' }}
              />
            </Suspense>
          </div>
          <Found problems={problems} />
        </div>
        <div className="author-reading scroll">
          {lesson && problems.length > 0 && <p className="note warn">{AUTHOR.beforeMistakes}</p>}
          {lesson ? <LessonPreview lesson={lesson} /> : <p className="soft">{AUTHOR.nothing}</p>}
        </div>
      </div>
    </section>
  )
}

function Found({ problems }: { problems: readonly TextualProblem[] }) {
  const played = useAuthor((state) => state.played)
  if (problems.length > 0)
    return (
      <div className="author-found" role="status">
        <ul>
          {problems.slice(0, MOST_SHOWN).map(({ line, column, message }) => (
            <li key={`${line}:${column} ${message}`} className="bad">
              <span className="mono soft">
                {line}:{column}
              </span>{' '}
              {message}
            </li>
          ))}
        </ul>
        {problems.length > MOST_SHOWN && (
          <p className="soft">{AUTHOR.more(problems.length - MOST_SHOWN)}</p>
        )}
      </div>
    )
  return (
    <div className="author-found" role="status">
      {played === undefined && <p className="soft">{AUTHOR.parsed}</p>}
      {played?.state === 'playing' && <p className="soft">{AUTHOR.playing}</p>}
      {played?.state === 'played' && played.problems.length === 0 && (
        <p className="good">
          <Icon name="check" size={14} /> {AUTHOR.valid}
        </p>
      )}
      {played?.state === 'played' && played.problems.length > 0 && (
        <ul>
          {played.problems.map((problem) => (
            <li key={problem} className="bad">
              {problem}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function FileMenu() {
  const text = useAuthor((state) => state.text)
  const lesson = useAuthor((state) => state.lesson)
  const earlier = useAuthor((state) => state.earlier)
  const begin = useAuthor((state) => state.begin)
  const back: MenuEntry[] =
    earlier === undefined ? [] : [{ title: AUTHOR.previous, run: () => begin(earlier) }]
  const items: MenuEntry[] = [
    { title: AUTHOR.open, icon: 'file', run: () => pickFile(begin) },
    { title: AUTHOR.download, run: () => download(`${lesson?.id ?? 'lesson'}.yaml`, text) },
    { title: AUTHOR.copyLink, icon: 'share', run: () => void copyLink(text) },
    'line',
    { heading: AUTHOR.startFrom },
    ...back,
    { title: AUTHOR.small, icon: 'file', run: () => begin(TEMPLATE) },
    ...LESSONS.map((one) => ({ title: one.title, run: () => begin(lessonText(one)) })),
  ]
  return (
    <Menu
      label={AUTHOR.fileLabel}
      className="button small"
      side="right"
      face={
        <>
          {AUTHOR.file} <Icon name="down" size={14} />
        </>
      }
      items={items}
    />
  )
}

function pickFile(use: (text: string) => void): void {
  const input = document.createElement('input')
  input.type = 'file'
  input.accept = '.yaml,.yml,.json'
  input.onchange = () => void input.files?.[0]?.text().then(use)
  input.click()
}

async function copyLink(text: string): Promise<void> {
  const link = new URL(addressOf('', `#${encodeLesson(text)}`), location.href).href
  await copyText(link, AUTHOR.copied)
  if (link.length > COMFORTABLE_LINK) notify(AUTHOR.longLink(link.length))
}
