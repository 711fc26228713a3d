/** The commands of simulated scripts, and the shell around them. */
import { describe, expect, it } from 'vitest'
import { imageOf } from '../../src/engine/simulation/images/catalogue'
import { follow } from '../../src/engine/simulation/script/interpreter'
import { run } from '../../src/engine/simulation/shell'

const NOW = Date.parse('2026-01-02T03:04:05Z')
const surroundings = {
  hostname: 'web',
  environment: { PATH: '/bin', HOME: '/root', A: 'b' },
  mounts: [],
  root: { image: imageOf('busybox') },
}

function sh(script: string) {
  const { output, error, code } = run(['sh', '-c', script], {
    container: 'c',
    surroundings,
    now: NOW,
    outputs: [],
  })
  return code === 0 ? output + error : `${output}${error}(${code})`
}

describe('the shell', () => {
  it.each([
    ['echo one two | wc -w', '2\n'],
    ['echo b a | tr " " "\\n" | sort | head -n 1', 'a\n'],
    ['false | true', ''],
    ['true | false', '(1)'],
    ['yes | head -2', 'y\ny\n'],
    ['echo a > /tmp/f; while read x; do echo "<$x>"; done < /tmp/f', '<a>\n'],
    ['printf "a b c\\nd e\\n" | while read x y; do echo "$y"; done', 'b c\ne\n'],
    ['cat <<EOF\n$A $((1+2))\nEOF', 'b 3\n'],
    ["cat <<'EOF'\n$A\nEOF", '$A\n'],
    ['cat <<-EOF\n\tx\n\tEOF', 'x\n'],
    ['case abc in x|a*) echo yes;; *) echo no;; esac', 'yes\n'],
    ['case abc in "a*") echo yes;; *) echo no;; esac', 'no\n'],
    ['f() { echo "$1 $#"; return 3; }; f a b; echo $?', 'a 2\n3\n'],
    ['f() { local x=1; y=2; }; x=0; f; echo $x$y', '02\n'],
    ['set -- a "b c"; for i in "$@"; do echo $i; done; shift; echo $1', 'a\nb c\nb c\n'],
    ['x=1; (x=2; cd /tmp; pwd); echo $x; pwd', '/tmp\n1\n/\n'],
    ['{ echo a; echo b >&2; } > /tmp/o 2>&1; cat /tmp/o', 'a\nb\n'],
    ['echo a 2>&1 >/dev/null | cat', ''],
    ['echo `echo x`', 'x\n'],
    [
      'x=path/to.tar.gz; echo ${x##*/} ${x%.*} ${x%%.*} ${x#*/} ${#x}',
      'to.tar.gz path/to.tar path/to to.tar.gz 14\n',
    ],
    ['echo ${N:-d} ${N:=e} $N ${A:+set} ${B-x}', 'd e e set x\n'],
    ['echo ${N:?missing}; echo after', 'sh: N: missing\n(2)'],
    ['A=z env | grep ^A=; echo $A', 'A=z\nb\n'],
    ['cd /tmp; touch x1 x2 y; echo x* z*', 'x1 x2 z*\n'],
    ['echo "*"', '*\n'],
    ['set -e; false | true; (exit 4); echo no', '(4)'],
    ['trap "echo bye" EXIT; echo hi; exit 3', 'hi\nbye\n(3)'],
    ['sleep 2 & wait; date +%s', `${NOW / 1000 + 2}\n`],
    ['echo $((3 > 2)) $((1 == 2)) $(( (1+1) * 2 ))', '1 0 4\n'],
    ['for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done', '1\n3\n'],
    ['eval "echo a; echo b"', 'a\nb\n'],
    ['echo ~', '/root\n'],
  ])('%s', (script, expected) => {
    expect(sh(script)).toBe(expected)
  })
})

describe('commands of text', () => {
  const file = 'printf "b 2\\na 1\\nb 2\\nC 10\\n" > /tmp/f; '
  it.each([
    ['head -n 1 /tmp/f', 'b 2\n'],
    ['tail -n 1 /tmp/f', 'C 10\n'],
    ['tail -n +3 /tmp/f', 'b 2\nC 10\n'],
    ['wc -l /tmp/f', '4 /tmp/f\n'],
    ['wc -c < /tmp/f', '17\n'],
    ['grep b /tmp/f', 'b 2\nb 2\n'],
    ['grep -c b /tmp/f', '2\n'],
    ['grep -n -i c /tmp/f', '4:C 10\n'],
    ['grep -v b /tmp/f', 'a 1\nC 10\n'],
    ['grep -oE "[0-9]+" /tmp/f', '2\n1\n2\n10\n'],
    ['grep -q nothing /tmp/f', '(1)'],
    ['sort -u /tmp/f', 'C 10\na 1\nb 2\n'],
    ['printf "10\\n9\\n" | sort -n', '9\n10\n'],
    ['sort /tmp/f | uniq -c', '      1 C 10\n      1 a 1\n      2 b 2\n'],
    ['cut -d " " -f 2 /tmp/f', '2\n1\n2\n10\n'],
    ['cut -c1 /tmp/f', 'b\na\nb\nC\n'],
    ['echo hello | tr a-z A-Z', 'HELLO\n'],
    ['echo hello | tr -d l', 'heo\n'],
    ['sed "s/b/x/" /tmp/f', 'x 2\na 1\nx 2\nC 10\n'],
    ['echo aaa | sed s/a/b/g', 'bbb\n'],
    ['echo a | sed "s/a/[&]/"', '[a]\n'],
    ['sed -n "2p" /tmp/f', 'a 1\n'],
    ['sed "/^b/d" /tmp/f', 'a 1\nC 10\n'],
    ['sed -n "2,3p" /tmp/f', 'a 1\nb 2\n'],
    ['sed -i s/a/z/ /tmp/f; grep z /tmp/f', 'z 1\n'],
    ["awk '{print $2}' /tmp/f", '2\n1\n2\n10\n'],
    ["echo x:y | awk -F: '{print $2, NF}'", 'y 2\n'],
    ['echo a | tee /tmp/g; cat /tmp/g', 'a\na\n'],
    ['echo a b | xargs -n 1 echo x', 'x a\nx b\n'],
    ['echo a | xargs -I {} echo "<{}>"', '<a>\n'],
    ['echo hello | base64', 'aGVsbG8K\n'],
    ['echo aGVsbG8K | base64 -d', 'hello\n'],
    ['printf "%s=%03d\\n" a 1 b 2', 'a=001\nb=002\n'],
    ['grep x /tmp/none', 'grep: /tmp/none: No such file or directory\n(2)'],
  ])('%s', (script, expected) => {
    expect(sh(file + script)).toBe(expected)
  })
})

describe('commands of files and the system', () => {
  it.each([
    ['mkdir /tmp/d; cp /etc/hostname /tmp/d 2>/dev/null || echo no', 'no\n'],
    [
      'mkdir /tmp/d; echo a > /tmp/a; cp /tmp/a /tmp/d; mv /tmp/a /tmp/b; ls /tmp /tmp/d',
      '/tmp:\nb\nd\n\n/tmp/d:\na\n',
    ],
    [
      'mkdir -p /tmp/a/b; touch /tmp/a/b/c; cp -r /tmp/a /tmp/z; find /tmp/z -type f',
      '/tmp/z/b/c\n',
    ],
    ['find /tmp -name "*.x"', ''],
    ['touch /tmp/a; chmod u+x /tmp/a; stat -c %a /tmp/a; [ -x /tmp/a ] && echo yes', '744\nyes\n'],
    ['ln -s /etc/passwd /tmp/p; readlink /tmp/p; head -c 4 /tmp/p', '/etc/passwd\nroot'],
    ['rmdir /etc', "rmdir: '/etc': Directory not empty\n(1)"],
    ['basename /a/b.txt .txt; dirname /a/b.txt', 'b\n/a\n'],
    ['rm /tmp/none', "rm: can't remove '/tmp/none': No such file or directory\n(1)"],
    ['rm -f /tmp/none', ''],
    ['ls -l /etc/group', '-rw-r--r--    1 root     root            71 Jan  1 00:00 /etc/group\n'],
    ['expr 3 + 4; expr a = b', '7\n0\n(1)'],
    ['seq -s , 1 3', '1,2,3\n'],
    ['date', 'Fri Jan  2 03:04:05 UTC 2026\n'],
    ['date +%Y-%m-%d', '2026-01-02\n'],
    ['uname -n; id -u; whoami', 'web\n0\nroot\n'],
    ['which cat', '/bin/cat\n'],
  ])('%s', (script, expected) => {
    expect(sh(script)).toBe(expected)
  })
})

it('a trap runs at SIGTERM during `wait`, and after another command', () => {
  const ends = (script: string) => {
    const { seconds, code, lines } = follow(['sh', '-c', script], {
      ...surroundings,
      terminatedAt: 5,
    })
    return [seconds, code, lines.map(({ text }) => text).join('')]
  }
  expect(ends('trap "echo bye; exit 0" TERM; sleep 3600 & wait')).toEqual([5, 0, 'bye\n'])
  expect(ends('trap "exit 7" TERM; while true; do sleep 2; done')).toEqual([6, 7, ''])
})
