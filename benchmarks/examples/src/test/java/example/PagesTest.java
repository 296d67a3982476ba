package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class PagesTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Path README = ROOT.resolve("README.md");
    private static final Path INDEX = ROOT.resolve("PAGES.md");
    private static final Path TUTORIAL = Path.of("src/main/java/example/world/OwnJoltWorld.java");
    private static final int MAX_README_LINES = 80; // the README contains a whole program
    private static final int MAX_TUTORIAL_LINES = 60;

    private static final Pattern CODE_BLOCK = Pattern.compile("```(?:java|kotlin)\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern ANY_BLOCK = Pattern.compile("```.*?```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]*)(?:#([^)]*))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ (.*)$", Pattern.MULTILINE);

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .filter(file -> !ROOT.relativize(file).toString().contains("target"))
                    .sorted()
                    .toList();
        }
    }

    /** Returns all pages except those about the past: the decisions and CHANGELOG.md. */
    static List<Path> pagesForUsers() throws IOException {
        return pages().stream()
                .filter(page ->
                        !page.endsWith("CHANGELOG.md") && !page.toString().contains("decisions"))
                .toList();
    }

    @Test
    void shouldFindThePages() throws IOException {
        assertThat(pages())
                .contains(README.normalize(), ROOT.resolve("physics-thread/docs/world.md"))
                .hasSizeBetween(40, 55);
    }

    /** The index lists all pages, and the README links to the index. */
    @ParameterizedTest
    @MethodSource("pages")
    void shouldBeListedInTheIndex(Path page) throws IOException {
        String name = ROOT.relativize(page).toString();
        if (!page.equals(README) && !name.startsWith(".github")) {
            assertThat(Files.readString(page.equals(INDEX) ? README : INDEX)).contains("](" + name + ")");
        }
    }

    @ParameterizedTest
    @MethodSource("pagesForUsers")
    void shouldShowCodeThatIsCompiledWithItsImports(Path page) throws IOException {
        String text = Files.readString(page);
        List<List<String>> sources = sources();
        for (String block : blocks(text)) {
            assertThat(sources.stream().anyMatch(source -> isShown(lines(block), source, text)))
                    .as(
                            "whether a source has the lines of %s, and the page the imports that they need:%n%s",
                            page, block)
                    .isTrue();
        }
    }

    private static boolean isShown(List<String> block, List<String> source, String page) {
        List<String> code = withoutImports(block);
        if (code.isEmpty()) {
            return true; // a block that has only imports passes, because the blocks that need the imports are checked
        }
        String words = String.join("\n", code);
        return source.containsAll(imports(block))
                && Collections.indexOfSubList(withoutImports(source), code) >= 0
                && imports(source).stream().allMatch(line -> !isUsed(line, words) || page.contains(line));
    }

    private static boolean isUsed(String importLine, String words) {
        String name = importLine.replaceAll("^import (static )?.*\\.|;.*$", "");
        return name.equals("*")
                || Pattern.compile("\\b" + name + "\\b").matcher(words).find();
    }

    @Test
    void shouldShowWholeProgramsThatCanBePasted() throws IOException {
        assertShowsAllOf(README, Path.of("src/main/java/example/readme/Main.java"));
        assertShowsAllOf(ROOT.resolve("physics-thread/docs/world.md"), TUTORIAL);
        assertShowsAllOf(Path.of("docs/first-hour.md"), Path.of("src/main/java/example/world/OwnPhysxWorld.java"));
        assertShowsAllOf(Path.of("docs/tasks.md"), Path.of("src/main/java/example/guide/CoinGame.java"));
    }

    private static void assertShowsAllOf(Path page, Path source) throws IOException {
        List<String> program = new ArrayList<>(lines(Files.readString(source)));
        assertThat(program.remove(0)).startsWith("package ");
        assertThat(blocks(Files.readString(page))).extracting(PagesTest::lines).contains(program);
    }

    @Test
    void shouldBeShort() throws IOException {
        assertThat(Files.readAllLines(README)).hasSizeLessThanOrEqualTo(MAX_README_LINES);
        assertThat(withoutImports(lines(Files.readString(TUTORIAL)))).hasSizeLessThanOrEqualTo(MAX_TUTORIAL_LINES);
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldLeadToPlacesThatExist(Path page) throws IOException {
        String text = ANY_BLOCK.matcher(Files.readString(page)).replaceAll("");
        for (MatchResult link : LINK.matcher(text).results().toList()) {
            Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
            assertThat(target).as("a link of " + page).exists();
            if (link.group(2) != null) {
                assertThat(anchors(target)).as(page + " leads to " + target).contains(link.group(2));
            }
        }
    }

    /** Returns the anchors that GitHub's pages make from the headings. */
    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1).toLowerCase(Locale.ROOT))
                .map(heading -> heading.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    private static List<String> blocks(String page) {
        return CODE_BLOCK.matcher(page).results().map(block -> block.group(1)).toList();
    }

    private static List<List<String>> sources() throws IOException {
        List<List<String>> sources = new ArrayList<>();
        Path ofAeron = ROOT.resolve("shared-state/transports/aeron/src/test/java");
        Path tests = Path.of("src/test/java/example/world");
        for (Path root : List.of(Path.of("src/main/java"), Path.of("first-hour"), tests, ofAeron)) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.filter(path -> path.toString().matches(".*\\.(java|kt)"))
                        .toList()) {
                    sources.add(lines(Files.readString(file)));
                }
            }
        }
        return sources;
    }

    private static List<String> imports(List<String> lines) {
        return lines.stream().filter(line -> line.startsWith("import ")).toList();
    }

    private static List<String> withoutImports(List<String> lines) {
        return lines.stream()
                .filter(line -> !line.startsWith("import ") && !line.startsWith("package "))
                .toList();
    }

    private static List<String> lines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
