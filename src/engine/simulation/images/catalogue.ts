// cspell:ignore nonewprivs
/** The images whose contents the simulation knows. */
import { accounts, busyboxPrograms, directories } from './base'
import type { Image } from './image'

const ALPINE_RELEASE = '3.20.3'

const page = (title: string, body: string): string =>
  `<!DOCTYPE html>\n<html>\n<head>\n<title>${title}</title>\n</head>\n<body>\n${body}\n</body>\n</html>\n`

/** The default page of nginx, which readers recognize by its title and heading. */
const NGINX_PAGE = page(
  'Welcome to nginx!',
  '<h1>Welcome to nginx!</h1>\n<p>The web server runs. Configure it to serve other pages.</p>',
)

const NGINX_SITE = `server {
    listen       80;
    server_name  localhost;

    location / {
        root   /usr/share/nginx/html;
        index  index.html index.htm;
    }

    error_page   500 502 503 504  /50x.html;
}
`

const IMAGES: readonly Image[] = [
  {
    name: 'busybox',
    files: { ...directories, ...accounts },
    programs: busyboxPrograms,
    workingDir: '/',
  },
  {
    name: 'alpine',
    files: {
      ...directories,
      ...accounts,
      '/etc/alpine-release': `${ALPINE_RELEASE}\n`,
      '/etc/os-release': `NAME="Alpine Linux"\nID=alpine\nVERSION_ID=${ALPINE_RELEASE}\nPRETTY_NAME="Alpine Linux v3.20"\n`,
    },
    programs: busyboxPrograms,
    workingDir: '/',
  },
  {
    name: 'agnhost',
    files: { ...directories, ...accounts, '/uploads/': '' },
    programs: ['/agnhost', '/agnhost-2', ...busyboxPrograms],
    workingDir: '/',
    entrypoint: ['/agnhost'],
    arguments: ['pause'],
  },
  {
    name: 'nginx',
    files: {
      ...directories,
      ...accounts,
      '/etc/nginx/nginx.conf': 'http {\n    include /etc/nginx/conf.d/*.conf;\n}\n',
      '/etc/nginx/conf.d/default.conf': NGINX_SITE,
      '/usr/share/nginx/html/index.html': NGINX_PAGE,
      '/usr/share/nginx/html/50x.html': page('Error', '<h1>An error occurred.</h1>'),
      '/var/cache/nginx/': '',
      '/var/log/nginx/': '',
    },
    programs: ['/usr/sbin/nginx', ...busyboxPrograms],
    workingDir: '/',
  },
  {
    name: 'httpd',
    files: {
      ...directories,
      ...accounts,
      '/usr/local/apache2/conf/httpd.conf': 'Listen 80\nDocumentRoot "/usr/local/apache2/htdocs"\n',
      '/usr/local/apache2/htdocs/index.html': '<html><body><h1>It works!</h1></body></html>\n',
      '/usr/local/apache2/logs/': '',
    },
    programs: ['/usr/local/bin/httpd-foreground', ...busyboxPrograms],
    workingDir: '/usr/local/apache2',
  },
  {
    name: 'nautilus',
    files: {
      ...directories,
      ...accounts,
      '/usr/local/apache2/htdocs/index.html': page('Update demo', '<h1>Nautilus</h1>'),
      '/usr/local/apache2/htdocs/data.json': '{"image": "nautilus.jpg"}\n',
    },
    programs: busyboxPrograms,
    workingDir: '/',
  },
  {
    name: 'nonewprivs',
    files: { ...directories, ...accounts },
    programs: ['/nnp'],
    workingDir: '/',
    entrypoint: ['/nnp'],
  },
  { name: 'pause', files: {}, programs: ['/pause'], workingDir: '/' },
]

/** Registries whose images of these names are the known ones. */
const REGISTRIES =
  /^(?:docker\.io\/)?(?:library\/)?(?=[^/]+$)|^registry\.k8s\.io\/(?:e2e-test-images\/)?|^(?:k8s\.gcr\.io|gcr\.io\/google[-_]containers)\/(?:e2e-test-images\/)?|^(?:mirror\.gcr\.io|public\.ecr\.aws\/docker)\/library\//

const byName = new Map(IMAGES.map((image) => [image.name, image]))

/** @param reference as in a container: `nginx:1.27`, `registry.k8s.io/pause:3.10` */
export function imageOf(reference: string): Image | undefined {
  if (reference.length > 512) return undefined
  const [tagged = ''] = reference.split('@', 1)
  const repository = tagged.replace(/:[^:/]*$/, '')
  return byName.get(repository.replace(REGISTRIES, ''))
}
