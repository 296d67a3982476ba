package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The Javadoc of public types. */
class PublicTypesTest {

    private static final Path ROOT = Path.of("..", "..");
    private static final Pattern DECLARATION =
            Pattern.compile("^public [\\w\\s-]*?(class|interface|record|enum) ", Pattern.MULTILINE);
    private static final int FEWEST = 100;

    @Test
    void shouldHaveAnExampleOrSayWhereToLook() throws IOException {
        List<String> without = new ArrayList<>();
        int types = 0;
        for (Path file : sources()) {
            String text = Files.readString(file);
            Matcher declaration = DECLARATION.matcher(text);
            if (declaration.find() && isExportedToAll(file, text)) {
                types++;
                String javadoc = text.substring(text.lastIndexOf("/**", declaration.start()), declaration.start());
                if (!javadoc.contains("<pre>") && !javadoc.contains("@see ")) {
                    without.add(ROOT.relativize(file).toString());
                }
            }
        }
        assertThat(types).isGreaterThan(FEWEST);
        assertThat(without)
                .as("public types without an example and without a @see")
                .isEmpty();
    }

    /** Whether users can name the file's types. A module without a descriptor exports all of its packages. */
    private static boolean isExportedToAll(Path file, String text) throws IOException {
        String packageName = text.lines()
                .filter(line -> line.startsWith("package "))
                .findFirst()
                .orElseThrow()
                .substring("package ".length());
        int root = file.toString().indexOf("src/main/java") + "src/main/java".length();
        Path descriptor = Path.of(file.toString().substring(0, root), "module-info.java");
        return Files.notExists(descriptor) || Files.readString(descriptor).contains("exports " + packageName);
    }

    /** Of the modules that people compile against: neither the benchmarks nor the tests. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String part : List.of("shared-state", "physics-thread", "render-thread")) {
            try (Stream<Path> files = Files.walk(ROOT.resolve(part))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> file.toString().contains("src/main/java"))
                        .filter(file -> !file.toString().contains("jcstress"))
                        .filter(file -> !file.endsWith("package-info.java"))
                        .forEach(sources::add);
            }
        }
        return sources;
    }
}
