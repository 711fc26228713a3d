/** The lesson editor: the source, its problems with their positions, and a preview. */
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
import { LessonPreview } from './LessonPreview'

const TextEditor = lazy(() => import('../../editor/TextEditor'))

/** Longer addresses do not survive every chat program and mail. */
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
          <Icon name="learn" size={14} /> All lessons
        </button>
        <h2 className="cut">{lesson?.title ?? 'A lesson'}</h2>
        <span className="author-sides">
          <Segments
            label="What is shown"
            value={side}
            choices={[
              { value: 'text', title: 'Text' },
              { value: 'reading', title: 'Reading' },
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
          <Icon name="check" size={14} /> Check
        </button>
        <button
          type="button"
          className="button small primary"
          disabled={!sound}
          onClick={() => void tryIt()}
        >
          <Icon name="play" size={14} /> Try it
        </button>
      </header>
      <div className="author-halves">
        <div className="author-text">
          <div className="author-editor">
            <Suspense>
              <TextEditor
                text={text}
                language="yaml"
                label="Lesson source"
                problems={marks}
                onChange={edit}
                options={{ quickSuggestions: false, wordWrap: 'on' }}
              />
            </Suspense>
          </div>
          <Found problems={problems} />
        </div>
        <div className="author-reading scroll">
          {lesson && problems.length > 0 && (
            <p className="note warn">As it was before the mistakes.</p>
          )}
          {lesson ? (
            <LessonPreview lesson={lesson} />
          ) : (
            <p className="soft">There is nothing to be read yet.</p>
          )}
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
          <p className="soft">{problems.length - MOST_SHOWN} more.</p>
        )}
      </div>
    )
  return (
    <div className="author-found" role="status">
      {played === undefined && (
        <p className="soft">Parsed. Check runs both solutions in an in-memory cluster.</p>
      )}
      {played?.state === 'playing' && <p className="soft">Playing both ways …</p>}
      {played?.state === 'played' && played.problems.length === 0 && (
        <p className="good">
          <Icon name="check" size={14} /> Valid: starts incomplete, the solution completes each
          step, the wrong solution doesn't.
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
    earlier === undefined ? [] : [{ title: 'Previous draft', run: () => begin(earlier) }]
  const items: MenuEntry[] = [
    { title: 'Open a file …', icon: 'file', run: () => pickFile(begin) },
    { title: 'Download', run: () => download(`${lesson?.id ?? 'lesson'}.yaml`, text) },
    { title: 'Copy a link', icon: 'share', run: () => void copyLink(text) },
    'line',
    { heading: 'Start from' },
    ...back,
    { title: 'A small lesson', icon: 'file', run: () => begin(TEMPLATE) },
    ...LESSONS.map((one) => ({ title: one.title, run: () => begin(lessonText(one)) })),
  ]
  return (
    <Menu
      label="The lesson's file"
      className="button small"
      side="right"
      face={
        <>
          File <Icon name="down" size={14} />
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
  await copyText(link, 'The link')
  if (link.length > COMFORTABLE_LINK)
    notify(
      `The link is ${link.length.toLocaleString('en')} characters long. Some apps cut links that long; a file is safer.`,
    )
}
