import com.sun.source.tree.ClassTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
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
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Checks the planted faults against the code and the tests that they name. */
final class Evidence {

    private static final Set<String> TEST_ANNOTATIONS =
            Set.of("Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "FuzzTest", "ArchTest");
    private static final Set<String> WAYS = Set.of("assertion", "hang", "crash");

    private final Map<String, List<Path>> sources = testSources();
    private final Map<Path, List<ClassTree>> parsed = new HashMap<>();

    Evidence() throws IOException {}

    /**
     * Returns the contradictions: rows (faults with a promise) without a test, names that occur twice, and tests, ways to find a fault and
     * lines of code that do not exist.
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
                found.add("the fault " + fault.id + " must name a test that exists, as MODULE Class#method, but says: " + fault.test);
            }
            if (!WAYS.contains(fault.found)) {
                found.add("the fault " + fault.id + " must be found by an assertion, a hang or a crash, but says: " + fault.found);
            }
        }
        return found;
    }

    /** Whether a fault's test is a class of jcstress, or a method or rule that JUnit runs. A helper of this name, or a comment, is none. */
    private boolean exists(String test) throws IOException {
        String[] parts = test.split("[ #]");
        boolean isJcstress = new BuiltModule(parts[0]).isJcstress();
        if (parts.length != (isJcstress ? 2 : 3)) {
            return false;
        }
        for (Path file : sources(parts[1].replaceFirst("\\..*", ""))) {
            String type = parts[1].replaceFirst(".*\\.", "");
            if (file.startsWith(parts[0])
                    && (isJcstress
                            ? type(file, type).getModifiers().toString().contains("@JCStressTest")
                            : declares(file, type, parts[2]))) {
                return true;
            }
        }
        return false;
    }

    /** Whether a class, or one that it extends, has a test of this name. */
    private boolean declares(Path file, String typeName, String test) throws IOException {
        ClassTree type = type(file, typeName);
        for (Tree member : type.getMembers()) {
            if (member instanceof MethodTree method && method.getName().contentEquals(test)) {
                return isTest(method.getModifiers());
            }
            if (member instanceof VariableTree rule && rule.getName().contentEquals(test)) {
                return isTest(rule.getModifiers());
            }
        }
        if (type.getExtendsClause() == null) {
            return false;
        }
        String base = type.getExtendsClause().toString().replaceFirst("<.*", "");
        String baseName = base.replaceFirst(".*\\.", "");
        for (Path other : sources(base.replaceFirst("\\..*", ""))) {
            if (declares(other, baseName, test)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isTest(ModifiersTree modifiers) {
        return modifiers.getAnnotations().stream()
                .anyMatch(annotation -> TEST_ANNOTATIONS.contains(
                        annotation.getAnnotationType().toString()));
    }

    /** Returns a class of a source, at any depth. */
    private ClassTree type(Path file, String name) throws IOException {
        List<ClassTree> types = parsed.get(file);
        if (types == null) {
            types = parse(file);
            parsed.put(file, types); // many rows name tests of the same class
        }
        return types.stream()
                .filter(type -> type.getSimpleName().contentEquals(name))
                .findFirst()
                .orElseThrow();
    }

    private static List<ClassTree> parse(Path file) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            JavacTask task = (JavacTask)
                    compiler.getTask(null, manager, null, List.of(), null, manager.getJavaFileObjects(file));
            List<ClassTree> types = new ArrayList<>();
            new TreeScanner<Void, Void>() {
                @Override
                public Void visitClass(ClassTree type, Void unused) {
                    types.add(type);
                    return super.visitClass(type, unused);
                }
            }.scan(task.parse(), null);
            return types;
        }
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
