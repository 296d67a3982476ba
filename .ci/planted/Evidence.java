import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the planted faults against the code and the tests that they name. */
final class Evidence {

    private final Map<String, List<Path>> sources = testSources();

    Evidence() throws IOException {}

    /**
     * Returns the contradictions: rows (faults with a promise) without a test, names that occur twice, and tests and lines of code that do
     * not exist.
     */
    List<String> contradictions(List<Fault> rows, List<Fault> others) throws IOException {
        List<String> found = new ArrayList<>();
        Set<String> ids = new HashSet<>();
        for (Fault row : rows) {
            if (row.promise.isEmpty() || row.test.isEmpty()) {
                found.add("the fault " + row.id + " says no promise, or no test");
            }
        }
        for (Fault fault : Stream.concat(rows.stream(), others.stream()).toList()) {
            if (!ids.add(fault.id)) {
                found.add("two faults are called " + fault.id);
            }
            try {
                fault.apply();
            } catch (Fault.OutOfStep e) {
                found.add(fault.id + ": " + e.getMessage());
            }
            if (!fault.test.isEmpty() && !exists(fault.test)) {
                found.add(fault.id + " names a test that does not exist: " + fault.test);
            }
        }
        return found;
    }

    private boolean exists(String test) throws IOException {
        String[] parts = test.split("[ #]");
        for (Path file : sources(parts[1].replaceFirst("\\..*", ""))) {
            if (file.startsWith(parts[0]) && (parts.length == 2 || declares(file, parts[2], new HashSet<>()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class, or one that it extends, has a method or a rule of this name. */
    private boolean declares(Path file, String name, Set<Path> seen) throws IOException {
        if (!seen.add(file)) {
            return false;
        }
        String text = Files.readString(file);
        if (Pattern.compile("\\b" + name + "( =|\\()").matcher(text).find()) {
            return true;
        }
        Matcher base = Pattern.compile("extends (\\w+)").matcher(text);
        while (base.find()) {
            for (Path other : sources(base.group(1))) {
                if (declares(other, name, seen)) {
                    return true;
                }
            }
        }
        return false;
    }

    private List<Path> sources(String type) {
        return sources.getOrDefault(type, List.of());
    }

    private static Map<String, List<Path>> testSources() throws IOException {
        Map<String, List<Path>> sources = new HashMap<>();
        for (String top : List.of("shared-state", "physics-thread", "render-thread", "benchmarks")) {
            Files.walkFileTree(Path.of(top), new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                    return folder.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(".java")
                            && file.toString().replace('\\', '/').matches(".*(/test/|jcstress/).*")) {
                        sources.computeIfAbsent(name.replace(".java", ""), key -> new ArrayList<>())
                                .add(file);
                    }
                    return FileVisitResult.CONTINUE;
                }
            });
        }
        return sources;
    }
}
