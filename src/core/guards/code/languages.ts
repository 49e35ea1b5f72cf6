import type { Grammar } from './tokens.ts';

/** What is known of a language: the names that can only compute and print. Everything else is a question. */
export interface LanguageKnowledge {
  grammar: Grammar;
  /** Names that compute, print, or read standard input. */
  pure: ReadonlySet<string>;
  /** How code binds names of its own. */
  binds: readonly RegExp[];
  /** Anything that is a question wherever it stands in the code, strings emptied. */
  asks?: RegExp;
  /** Anything that is a question inside a string. */
  asksInText?: RegExp;
}

const set = (...lists: string[]): ReadonlySet<string> =>
  new Set(lists.join(' ').split(/\s+/).filter(Boolean));

/** Names that a binding never makes harmless. */
export const alwaysAsks =
  /^(system|exec\w*|eval|popen\w*|spawn\w*|fork|compile|import_module|__import__|__builtins__|getattr|globals|subprocess|child_process|socket|ctypes|pty|unlink\w*|rmtree|remove|rmdir\w*|syscall|dlopen|require|include|load|constructor|Function|Reflect|Proxy|globalThis|binding|mainModule|passthru|shell_exec|proc_open|open3|instance_eval|class_eval|send|public_send|method|binding)$/;

const python: LanguageKnowledge = {
  grammar: { lineComments: ['#'], quotes: `'"`, interpolation: '{', interpolationPrefix: 'f' },
  pure: set(
    'and as assert async await break class continue def del elif else except False finally for from global if import in is lambda None nonlocal not or pass raise return True try while with yield f r b rb br u F R B self cls match case',
    'print len range str int float bool list dict set tuple frozenset bytes bytearray sum min max abs round sorted reversed enumerate zip map filter any all chr ord hex oct bin repr format input isinstance issubclass hasattr type id hash divmod pow iter next slice complex callable ascii dir help vars',
    'Exception ValueError TypeError KeyError IndexError ImportError ModuleNotFoundError AttributeError RuntimeError AssertionError ZeroDivisionError StopIteration SystemExit KeyboardInterrupt OSError FileNotFoundError',
    'sys json re math time datetime collections itertools functools operator string random statistics decimal fractions textwrap pprint platform base64 binascii hashlib hmac uuid calendar locale unicodedata struct zlib html csv io copy enum typing dataclasses sysconfig site keyword token tokenize ast dis bisect heapq array secrets timeit numbers difflib shlex fnmatch glob pathlib os urllib xml etree ElementTree configparser tomllib tomli yaml toml getpass',
    'version version_info executable path prefix argv stdin stdout stderr exit platform maxsize byteorder modules getrecursionlimit getsizeof implementation flags hexversion api_version getdefaultencoding getfilesystemencoding',
    'loads dumps load dump read readline readlines readable write writelines flush buffer strip lstrip rstrip split rsplit splitlines join replace startswith endswith upper lower title capitalize swapcase find rfind index rindex count encode decode format_map isdigit isalpha isalnum isspace isupper islower zfill ljust rjust center partition rpartition translate maketrans expandtabs removeprefix removesuffix append extend insert pop sort reverse clear copy update keys values items get setdefault add discard union intersection difference symmetric_difference issubset issuperset group groups groupdict match search findall finditer sub subn fullmatch escape span start end pattern I M S X IGNORECASE MULTILINE DOTALL VERBOSE',
    'sqrt ceil floor log log2 log10 exp sin cos tan asin acos atan atan2 pi e tau inf nan gcd lcm factorial comb perm isclose hypot fsum prod degrees radians trunc fabs isnan isinf',
    'now utcnow today date timedelta timezone utc strftime strptime isoformat fromtimestamp fromisoformat timestamp total_seconds days seconds microseconds year month day hour minute second weekday perf_counter monotonic ctime gmtime localtime mktime tzname sleep',
    'Counter OrderedDict defaultdict namedtuple deque most_common chain product permutations combinations accumulate groupby islice count cycle repeat starmap takewhile dropwhile zip_longest reduce partial lru_cache wraps itemgetter attrgetter mul choice choices randint random shuffle ascii_letters ascii_lowercase ascii_uppercase digits punctuation hexdigits whitespace sample uniform seed mean median mode stdev variance Decimal Fraction wrap dedent indent fill shorten pp indent sort_keys ensure_ascii separators default cls sep end file reverse key width default_factory maxsplit errors encoding newline strict',
    'b64encode b64decode urlsafe_b64encode urlsafe_b64decode hexlify unhexlify md5 sha1 sha224 sha256 sha384 sha512 blake2b hexdigest digest new uuid1 uuid3 uuid4 uuid5 hex bytes token_hex token_urlsafe token_bytes crc32 adler32 compress decompress pack unpack calcsize unescape escape quote unquote urlparse urlencode parse_qs urlsplit urljoin quote_plus unquote_plus parse netloc scheme query',
    'machine node processor python_version python_implementation system_alias release architecture uname get_paths get_path get_config_var get_config_vars getsitepackages getusersitepackages',
    'getcwd listdir cpu_count getpid getppid exists isfile isdir abspath basename dirname splitext expanduser realpath relpath normpath commonprefix commonpath getsize getmtime sep linesep name curdir pardir walk scandir stat st_size st_mtime stem suffix parent parents parts glob rglob iterdir is_file is_dir is_absolute resolve read_text read_bytes cwd home Path PurePath as_posix with_suffix with_name relative_to joinpath open fromstring tostring getroot text tag attrib safe_load safe_dump literal_eval reader writer DictReader writerow StringIO BytesIO getvalue tell seek close readlines ConfigParser sections',
    'write_text write_bytes makedirs mkdir touch exist_ok parents __name__ __version__ __file__ __doc__ __main__ __init__ __str__ __repr__ __len__ __class__ __path__ VERSION version get_version __git_version__ is_available cuda device_count show_config bottom metadata importlib util find_spec PackageNotFoundError',
  ),
  binds: [
    /\b([A-Za-z_]\w*)\s*(?:=(?!=)|\+=|-=|\*=|:=|,(?=[^()]*=(?!=)))/g,
    /\bfor\s+([\w\s,()]+?)\s+in\b/g,
    /\blambda\s+([\w\s,*]+):/g,
    /\bdef\s+(\w+)\s*\(([^)]*)\)/g,
    /\bas\s+(\w+)/g,
    /\bclass\s+(\w+)/g,
    /\bimport\s+([\w., ]+)/g,
    /\bfrom\s+([\w.]+)\s+import\b/g,
  ],
  asks: /\bos\s*\.\s*(environ|getenv)\b|\bsys\s*\.\s*modules\b|\bvars\s*\(|\bglobals\b|__(subclasses|globals|bases|mro|dict|code|getattribute|reduce|loader|spec)__/,
};

const javascript: LanguageKnowledge = {
  grammar: { lineComments: ['//'], quotes: `'"\``, interpolation: '${', patterns: true },
  pure: set(
    '_ async await break case catch class const continue default delete do else export extends false finally for function if import from in instanceof let new null of return static super switch this throw true try typeof undefined var void while yield get set as NaN Infinity',
    'console log error warn info table dir assert JSON parse stringify Math Object Array String Number Boolean Date RegExp Map Set WeakMap WeakSet Symbol BigInt Promise Error TypeError RangeError SyntaxError Buffer URL URLSearchParams TextEncoder TextDecoder Intl encodeURIComponent decodeURIComponent encodeURI decodeURI isNaN isFinite parseInt parseFloat structuredClone setTimeout clearTimeout setInterval clearInterval setImmediate queueMicrotask performance',
    'keys values entries assign fromEntries freeze create getOwnPropertyNames isArray from length push pop shift unshift slice splice concat join map filter reduce reduceRight forEach find findIndex findLast some every includes indexOf lastIndexOf sort reverse flat flatMap fill at toSorted toReversed with',
    'split replace replaceAll match matchAll search substring substr trim trimStart trimEnd toUpperCase toLowerCase charAt charCodeAt codePointAt startsWith endsWith padStart padEnd repeat normalize localeCompare raw fromCharCode fromCodePoint toString toFixed toPrecision valueOf hasOwnProperty hasOwn test exec source flags lastIndex index input groups',
    'max min floor ceil round abs pow sqrt random sign trunc log2 log10 exp hypot sin cos tan PI E cbrt now toISOString getTime getFullYear getMonth getDate getDay getHours getMinutes getSeconds toLocaleString toLocaleDateString toLocaleTimeString toJSON UTC getTimezoneOffset',
    'then resolve reject all allSettled race any add has size clear next done value name message stack code byteLength alloc isBuffer concat encoding href hostname pathname host port protocol searchParams origin hash search append getAll format DateTimeFormat NumberFormat resolvedOptions timeZone locale MAX_SAFE_INTEGER MIN_SAFE_INTEGER EPSILON isInteger isSafeInteger iterator',
    'process version versions argv platform arch cwd exit exitCode uptime memoryUsage hrtime bigint stdin stdout stderr write on setEncoding read once data end release v8 modules node napi openssl heapUsed rss heapTotal execPath pid title env NODE_ENV PATH HOME USER',
    'require path util url querystring assert os events crypto buffer fs join resolve basename dirname extname relative isAbsolute normalize sep delimiter inspect promisify types isDeepStrictEqual cpus totalmem freemem hostname EOL homedir tmpdir type release loadavg networkInterfaces availableParallelism randomBytes randomUUID createHash createHmac update digest randomInt getHashes timingSafeEqual readFileSync existsSync readdirSync statSync lstatSync isFile isDirectory size mtime mtimeMs withFileTypes accessSync realpathSync dependencies devDependencies peerDependencies scripts exports main workspaces engines description license author readFile promises writeFileSync appendFileSync writeFile appendFile mkdirSync copyFileSync recursive',
    'compare satisfies valid default package manifest packages lockfileVersion compilerOptions paths include extends config rules plugins presets meta',
  ),
  binds: [
    /\b(?:const|let|var|function|class)\s+([\w$]+)/g,
    /\b(?:const|let|var)\s*[{[]([^}\]]*)[}\]]\s*=/g,
    /\(([\w\s,=[\]{}.:"]*)\)\s*=>/g,
    /\b(\w+)\s*=>/g,
    /\bfunction\s*\w*\s*\(([^)]*)\)/g,
    /\bimport\s+(?:\*\s+as\s+)?([\w{}\s,]+)\s+from\b/g,
    /\b(\w+)\s*=(?![=>])/g,
    /\bcatch\s*\((\w+)\)/g,
  ],
  asks: /\bprocess\s*\.\s*env\b|\[\s*""\s*\+|\+\s*""\s*\]|\bprocess\s*\[|\bthis\s*\[|\bimport\s*\(/,
  asksInText: /^(constructor|__proto__|prototype|mainModule|binding|child_process|node:child_process)$/,
};

const ruby: LanguageKnowledge = {
  grammar: { lineComments: ['#'], quotes: `'"`, interpolation: '#{', patterns: true },
  pure: set(
    'alias and begin BEGIN break case class def do else elsif end END ensure false for if in module next nil not or redo rescue return self super then true undef unless until when while yield',
    '_ F puts print p pp printf sprintf format gets chomp chop strip lstrip rstrip split join map collect each each_with_index each_line each_char each_slice each_cons with_index select filter reject find detect reduce inject sum count size length first last take drop sort sort_by min max min_by max_by uniq reverse include? include start_with? end_with? empty? nil? zero? any? all? none? flatten compact zip group_by partition tally to_s to_i to_f to_a to_h to_sym to_r inspect upcase downcase capitalize swapcase gsub sub scan match tr delete squeeze index slice center ljust rjust succ ord chr hex oct bytes chars lines times upto downto step push pop shift unshift concat insert keys values key? value? fetch dig merge update store each_pair each_key each_value freeze dup clone round floor ceil abs even? odd? divmod pow sqrt PI Math Integer Float String Array Hash Symbol Range Regexp Time Date DateTime Comparable Enumerable Struct Set Rational Complex Kernel JSON YAML CSV Random rand srand sleep now today strftime parse generate pretty_generate pretty_print dump year month day hour minute min sec to_date RUBY_VERSION RUBY_PLATFORM RUBY_ENGINE RUBY_PATCHLEVEL ARGV ARGF STDIN STDOUT STDERR read readlines readline each_entry lazy cycle STDIN stdin stdout flush hexdigest digest Digest MD5 SHA1 SHA256 SHA512 Base64 encode64 decode64 strict_encode64 SecureRandom uuid alphanumeric base64 urlsafe_base64 random_number Gem Version platforms ruby_version VERSION new_version require_relative json date time set yaml csv digest securerandom File exist? exists basename dirname extname join expand_path file? directory? size? readable? Dir pwd glob entries children foreach itself then tap it proc lambda call curry with_object each_with_object flat_map zip sum_by new',
  ),
  binds: [
    /\b([a-z_]\w*)\s*(?:=(?![=~>])|\+=|-=|\|\|=)/g,
    /\|([\w\s,*()]+)\|/g,
    /\bdef\s+(\w+)(?:\(([^)]*)\))?/g,
    /\bfor\s+([\w,\s]+)\s+in\b/g,
  ],
  asks: /`|%x|\bENV\b|\$:|\$LOAD_PATH|\bopen\b|\bFile\.(write|open|delete|rename|chmod|new)\b/,
};

const php: LanguageKnowledge = {
  grammar: { lineComments: ['//', '#'], quotes: `'"` },
  pure: set(
    'php echo print printf sprintf print_r var_dump var_export if else elseif endif for foreach endforeach while endwhile do switch case break continue default return function fn use as new class public private protected static const null true false and or xor instanceof array list isset empty unset exit die try catch finally throw',
    'phpversion php_uname php_sapi_name PHP_VERSION PHP_OS PHP_OS_FAMILY PHP_EOL PHP_INT_MAX PHP_INT_SIZE PHP_BINARY PHP_MAJOR_VERSION PHP_MINOR_VERSION extension_loaded get_loaded_extensions function_exists class_exists defined memory_get_usage memory_get_peak_usage microtime time date mktime strtotime date_default_timezone_get ini_get',
    'strlen strpos strrpos str_replace str_repeat str_pad str_split substr trim ltrim rtrim explode implode join strtolower strtoupper ucfirst ucwords lcfirst nl2br htmlspecialchars html_entity_decode number_format preg_match preg_match_all preg_replace preg_split preg_quote strrev strcmp strstr stristr substr_count wordwrap md5 sha1 crc32 hash hash_algos base64_encode base64_decode bin2hex hex2bin urlencode urldecode rawurlencode http_build_query parse_url parse_str json_encode json_decode JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES JSON_UNESCAPED_UNICODE serialize uniqid random_int random_bytes rand mt_rand password_hash PASSWORD_DEFAULT PASSWORD_BCRYPT PASSWORD_ARGON2I intval floatval strval boolval gettype is_array is_string is_int is_null is_numeric count sizeof in_array array_keys array_values array_map array_filter array_reduce array_merge array_slice array_search array_sum array_unique array_flip array_combine array_column array_key_exists array_push array_pop array_shift array_unshift sort rsort ksort asort usort range compact extract min max abs ceil floor round sqrt pow pi mb_strlen mb_substr mb_strtoupper mb_strtolower ctype_digit ctype_alpha iconv utf8_encode chr ord dechex hexdec bindec decbin file_get_contents file_exists is_file is_dir basename dirname realpath pathinfo filesize getcwd scandir glob argv argc STDIN stream_get_contents fgets trim version_compare DateTime DateTimeZone DateInterval format modify',
  ),
  binds: [/\$(\w+)/g, /\bfunction\s+(\w+)/g],
  asks: /`|\$_(ENV|SERVER)\b|\$\w+\s*\(|\$\{|\$\$/,
  asksInText: /^(system|exec|passthru|shell_exec|popen|proc_open|assert|eval|unlink)$|^[a-z.]+:\/\//,
};

const lua: LanguageKnowledge = {
  grammar: { lineComments: ['--'], quotes: `'"` },
  pure: set(
    'and break do else elseif end false for function goto if in local nil not or repeat return then true until while print type tostring tonumber pairs ipairs select string table math _VERSION jit version format rep sub gsub gmatch match find len upper lower reverse byte char concat insert remove sort unpack pack floor ceil max min abs sqrt random huge pi fmod modf os time date clock io write read arg error pcall assert',
  ),
  binds: [
    /\b([A-Za-z_]\w*)\s*=(?!=)/g,
    /\blocal\s+([\w,\s]+)/g,
    /\bfor\s+([\w,\s]+?)\s+in\b/g,
    /\bfunction\s*\w*\s*\(([^)]*)\)/g,
  ],
};

/** Languages of which only the plainest printing is known. */
const printing: LanguageKnowledge = {
  grammar: { lineComments: ['//', '#'], quotes: `'"` },
  pure: set(
    'print println printf puts cat echo write IO inspect System out version string VERSION Version sessionInfo R paste c sum mean length str format sqrt exp log console let var val def for in if else true false TRUE FALSE NULL nil',
  ),
  binds: [/\b([A-Za-z_]\w*)\s*(?:=(?!=)|<-)/g],
  asks: /`/,
};

export const languages = { python, javascript, ruby, php, lua, printing };
