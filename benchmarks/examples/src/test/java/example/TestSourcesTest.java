package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Refuses what lets tests pass for nothing: assertions that an empty collection meets, refusals of which only the type is asserted, skips
 * that nobody reviewed, sleeps.
 */
class TestSourcesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    /** Assertions that an empty collection meets, assertions that it does not meet, and calls that may leave a collection empty. */
    private static final String MET_BY_NONE =
            "all(Match|Satisfy)|none(Match|Satisfy)|isSubsetOf|isSorted.*|doesNotHaveDuplicates";

    private static final String MET_BY_SOME = "isNotEmpty|hasSize(?!Less).*|any.*|contains.*|startsWith|endsWith";
    private static final String SAYS_WHY =
            ".*(Message|Cause|StackTrace|asString|satisfies|extracting).*|hasToString|isSameAs";
    private static final String MAY_EMPTY = "filtered.*|flat.*";
    private static final String LITERAL = "(?s)(List|Set)\\.(<\\w+>)?of\\([^)].*";

    private static final Pattern TEXT_OR_COMMENT = Pattern.compile(
            "(?s)\"\"\".*?\"\"\"|\"[^\"\\\\\\n]*(?:\\\\.[^\"\\\\\\n]*)*\"|'\\\\?.[^']*'|//[^\\n]*|/\\*.*?\\*/");
    private static final Pattern ASSERTION = Pattern.compile("\\bassertThat\\w*(?=\\()");
    private static final Pattern CALL = Pattern.compile("\\s*\\.\\s*(\\w+)(?=\\()");
    private static final Pattern SLEEP = Pattern.compile("\\b(Thread|TimeUnit\\.\\w+|[A-Z]+)\\.sleep\\(");
    private static final Pattern SKIP =
            Pattern.compile("((?<!\\.)|(?<=Assumptions\\.))\\b(assume[A-Z]\\w*|abort)(?=\\()|@(Dis|En)abled\\w*");
    private static final Pattern DECLARATION = Pattern.compile(
            "(?m)^ {0,8}(?!.*(?:\\b(?:return|throw|new)\\b|[;=]))(?:(?:[\\w<>]+ )*class \\w+|(?:[\\w<>\\[\\],.?@]+ )+(\\w+)\\()");

    /** Returns what is wrong with a source. */
    private static List<String> faults(String source) {
        String code = withoutText(source);
        List<String> faults = new ArrayList<>();
        SLEEP.matcher(code).results().map(MatchResult::group).forEach(faults::add);
        Matcher assertion = ASSERTION.matcher(code);
        while (assertion.find()) {
            int end = closed(code, assertion.end());
            String subject = code.substring(assertion.end() + 1, end - 1);
            if (subject.matches("(?s).*\\.(all|none)Match\\(.*")) {
                faults.add("a stream that may be empty in " + subject);
            }
            boolean isSome = subject.matches(LITERAL);
            boolean isMetByNone = false;
            boolean saysWhy = !assertion.group().matches("assertThat(ThrownBy|\\w*Exception\\w*)");
            Matcher call = CALL.matcher(code);
            while (call.region(end, code.length()).lookingAt()) {
                String name = call.group(1);
                end = closed(code, call.end());
                String expected = code.substring(call.end() + 1, end - 1);
                if (name.equals("isEqualTo") && subject.contains("hashCode(") && !expected.contains("hashCode(")) {
                    faults.add("a hash that stands for the right value of " + subject);
                }
                isSome = !name.matches(MAY_EMPTY) && (isSome || name.matches(MET_BY_SOME));
                isMetByNone |= name.matches(MET_BY_NONE);
                saysWhy |= name.matches(SAYS_WHY);
            }
            if (!saysWhy) {
                faults.add("the message is missing for " + code.substring(assertion.start(), end));
            }
            if (isMetByNone && !isSome) {
                faults.add("isNotEmpty() or a size is missing for " + subject);
            }
        }
        return faults;
    }

    /** Returns the methods of a source that skip tests; empty for a whole class. */
    private static List<String> skips(String source) {
        String code = withoutText(source);
        List<String> methods = new ArrayList<>();
        SKIP.matcher(code).results().forEach(skip -> {
            Matcher declaration = DECLARATION.matcher(code);
            boolean isFollowed = skip.group().startsWith("@");
            String method = "";
            while (declaration.find() && (isFollowed || declaration.start() < skip.start())) {
                method = Objects.requireNonNullElse(declaration.group(1), "");
                if (declaration.start() > skip.start()) {
                    break;
                }
            }
            methods.add(method);
        });
        return methods;
    }

    private static String withoutText(String source) {
        return TEXT_OR_COMMENT.matcher(source).replaceAll(text -> text.group().startsWith("/") ? "" : "\"\"");
    }

    /** Returns the index after the parenthesis that closes the one at an index. */
    private static int closed(String code, int open) {
        int depth = 0;
        int at = open;
        do {
            depth += code.charAt(at) == '(' ? 1 : code.charAt(at) == ')' ? -1 : 0;
            at++;
        } while (depth > 0);
        return at;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assertThat(checks).filteredOn(check -> check.is(\")\")).allMatch(Check::isBroken);",
                "assertThat(checks).isNotEmpty().filteredOn(Check::isNew).allMatch(Check::isBroken);",
                "assertThat(sent(1))\n.allSatisfy(one -> assertThat(one).isNotEmpty());",
                "assertThat(sent /* isNotEmpty() */).as(\"isNotEmpty()\").noneMatch(Sent::isHello);",
                "assertThat(sent).isSubsetOf(all);",
                "assertThat(sent.stream().noneMatch(all::contains)).isTrue();",
                "assertThat(Arrays.hashCode(rows)).isEqualTo(-17);",
                "assertThatThrownBy(() -> open(1)).as(\"Message\").isInstanceOf(IOException.class);",
                "assertThatIllegalStateException().isThrownBy(world::tick);",
                "Thread.sleep(5);",
                "TimeUnit.SECONDS.sleep(1);",
            })
    void shouldRefuseWhatPassesForNothing(String planted) {
        assertThat(faults(planted)).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "assertThat(checks).filteredOn(Check::isNew).hasSize(2).allMatch(Check::isBroken);",
                "assertThat(List.of(1, 2)).allMatch(one -> one > 0);",
                "assertThat(one.hashCode()).isEqualTo(other.hashCode());",
                "assertThatIllegalStateException().isThrownBy(world::tick).withMessageContaining(\"5\");",
                "// Thread.sleep(5);",
            })
    void shouldAcceptWhatCanFail(String planted) {
        assertThat(faults(planted)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'    void one() {\n        assumeTrue(can);\n    }\n    void two() {', one",
        "'    int one(int a) {\n        return Assumptions.abort();', one",
        "'    @Disabled\n    void one() {\n    }\n    void two() {', one",
        "'@EnabledIf(\"can\")\nclass OneTest {\n    void one() {', ''",
    })
    void shouldFindWhatSkips(String planted, String method) {
        assertThat(skips(planted)).containsExactly(method);
    }

    @Test
    void shouldFindNoTestThatPassesForNothing() throws IOException {
        List<String> faults = new ArrayList<>();
        Set<String> skips = new TreeSet<>();
        for (Path file : sources()) {
            String source = Files.readString(file);
            String name = file.getFileName().toString().replace(".java", "");
            faults(source).forEach(fault -> faults.add(name + ": " + fault));
            skips(source).forEach(method -> skips.add(method.isEmpty() ? name : name + "#" + method));
        }
        assertThat(faults).isEmpty();
        assertThat(skips)
                .containsExactlyElementsOf(Files.readAllLines(ROOT.resolve(".ci/skips")).stream()
                        .filter(row -> !row.startsWith("#"))
                        .map(row -> row.replaceFirst(" \\|.*", ""))
                        .toList());
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().replace('\\', '/').matches(".*/src/test/java/.*\\.java"))
                    .toList();
        }
    }
}
