package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the pages show is what is compiled, line by line; and they lead to files that exist. */
class PagesTest {

    private static final Pattern JAVA_BLOCK = Pattern.compile("```java\\R(.*?)```", Pattern.DOTALL);
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#:]+)(#[^)]*)?\\)");
    private static final Path PAGES = Path.of("docs");

    static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.list(PAGES)) {
            return files.filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void shouldHaveAPageForEachExample() throws IOException {
        assertThat(pages())
                .extracting(page -> page.getFileName().toString())
                .contains("engine.md", "server.md", "lwjgl.md", "jme.md", "libgdx.md", "migration.md");
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldShowCodeThatIsCompiled(Path page) throws IOException {
        List<List<String>> sources = sources();
        Matcher blocks = JAVA_BLOCK.matcher(Files.readString(page));
        while (blocks.find()) {
            List<String> block = lines(blocks.group(1));
            boolean found = sources.stream().anyMatch(source -> Collections.indexOfSubList(source, block) >= 0);
            assertThat(found)
                    .as("whether a source has the lines of " + page + ":\n" + blocks.group(1))
                    .isTrue();
        }
    }

    @ParameterizedTest
    @MethodSource("pages")
    void shouldLeadToFilesThatExist(Path page) throws IOException {
        Matcher links = LINK.matcher(Files.readString(page));
        while (links.find()) {
            assertThat(PAGES.resolve(links.group(1))).as(page.toString()).exists();
        }
    }

    private static List<List<String>> sources() throws IOException {
        List<List<String>> sources = new ArrayList<>();
        for (Path root : List.of(Path.of("src/main/java"), Path.of("first-hour"))) {
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file :
                        files.filter(path -> path.toString().endsWith(".java")).toList()) {
                    sources.add(lines(Files.readString(file)));
                }
            }
        }
        return sources;
    }

    /** Without indentation and empty lines. */
    private static List<String> lines(String text) {
        return text.lines().map(String::strip).filter(line -> !line.isEmpty()).toList();
    }
}
