import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A folder with a pom.xml, built: its class path, its tests, and processes that run them. */
record BuiltModule(String path) {

    /** The names of the files that surefire takes for test classes. */
    private static final Pattern TEST_CLASS = Pattern.compile("(Test\\w*|\\w*Test|\\w*Tests|\\w*TestCase)\\.class");

    /**
     * The outcome of a process that ran tests. {@code way} says how the first test failed: by an assertion, a hang or a crash, or by
     * linkage if the planted classes do not fit the others. It is empty if none failed, and {@code nothing} if no test ran. {@code test} is
     * the name of that test, or empty if the process ended without a name or took too long.
     */
    record Run(String way, String test, long seconds) {

        boolean failed() {
            return !way.isEmpty();
        }
    }

    /** The time limit of each test where all run, and none ends the process. */
    private static final int EACH_SECONDS = 20;

    private static final Map<String, List<String>> CLASS_PATHS = new ConcurrentHashMap<>();
    private static final Map<String, String> MODULES = modules();

    static BuiltModule of(String file) {
        return new BuiltModule(file.substring(0, file.indexOf("/src/main/")));
    }

    String name() {
        return path.replace('/', '-');
    }

    private Path target(String name) {
        return Path.of(path, "target", name).toAbsolutePath();
    }

    /** Returns the class path as Maven resolved it, with the folders of our modules' classes in place of their jars. */
    private List<String> dependencies() {
        return CLASS_PATHS.computeIfAbsent(path, key -> {
            try {
                return Stream.of(
                                Files.readString(target("classpath.txt")).trim().split(File.pathSeparator))
                        .map(BuiltModule::inTree)
                        .toList();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** Whether this module is, or depends on, another module. */
    boolean uses(BuiltModule other) {
        return equals(other) || dependencies().contains(other.target("classes").toString());
    }

    private static String inTree(String entry) {
        Matcher jar = Pattern.compile(".*/(escapement-[a-z0-9-]+?)-\\d[\\d.]*(?:-SNAPSHOT)?(-tests)?\\.jar")
                .matcher(entry);
        if (!jar.matches()) {
            return entry;
        }
        return new BuiltModule(MODULES.get(jar.group(1)))
                .target(jar.group(2) == null ? "classes" : "test-classes")
                .toString();
    }

    private static Map<String, String> modules() {
        try (Stream<Path> files = Files.find(Path.of(""), 5, (file, attributes) -> file.endsWith("pom.xml"))) {
            return files.filter(
                            file -> file.getParent() != null && !file.toString().contains("target"))
                    .collect(Collectors.toMap(
                            BuiltModule::artifact, file -> file.getParent().toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String artifact(Path pom) {
        Matcher name =
                Pattern.compile("<artifactId>(.*?)<").matcher(text(pom).replaceFirst("(?s)<parent>.*?</parent>", ""));
        if (!name.find()) {
            throw new IllegalStateException(pom + " names no artifact");
        }
        return name.group(1);
    }

    /**
     * Compiles all main sources, so that constants that are copied from class to class change everywhere in the module. A descriptor is
     * compiled only if the fault changes it.
     */
    void compile(Path changed, Path classes) throws IOException {
        Path sources = Path.of(path, "src", "main", "java");
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(sources)) {
            for (Path file :
                    all.filter(file -> file.toString().endsWith(".java")).toList()) {
                Path copy = changed.resolve(sources.relativize(file));
                if (!file.endsWith("module-info.java") || Files.exists(copy)) {
                    files.add(Files.exists(copy) ? copy : file);
                }
            }
        }
        if (Files.exists(changed)) {
            boolean isModule = Files.exists(changed.resolve("module-info.java"));
            List<String> needed = isModule ? dependencies() : classPath(classes);
            compileAll(files, String.join(File.pathSeparator, needed), classes);
        }
    }

    private List<String> classPath(Path planted) {
        List<String> path = new ArrayList<>();
        if (planted != null) {
            path.add(planted.toString());
        }
        path.add(target("test-classes").toString());
        path.add(target("classes").toString());
        path.addAll(dependencies());
        return path;
    }

    /**
     * Returns the launcher that {@link RunTests} needs in addition to the class path of the tests. Surefire has put it into the folder of
     * the Jupiter version that Maven resolved.
     */
    String launcher() {
        return dependencies().stream()
                .filter(jar -> jar.contains("junit-platform-engine"))
                .findFirst()
                .orElseThrow()
                .replace("junit-platform-engine", "junit-platform-launcher");
    }

    String runnerPath() {
        return String.join(File.pathSeparator, dependencies()) + File.pathSeparator + launcher();
    }

    String testName(String test) throws IOException {
        if (isJcstress()) {
            return test;
        }
        String simple = test.replaceFirst("#.*", "");
        Path classes = target("test-classes");
        try (Stream<Path> files = Files.walk(classes)) {
            return files.filter(file -> file.endsWith(simple.replace('.', '$') + ".class"))
                            .map(file -> className(classes, file))
                            .findFirst()
                            .orElseThrow(() -> new Fault.OutOfStep(path + " has no test class " + simple))
                    + test.substring(simple.length());
        }
    }

    private static String className(Path classes, Path file) {
        return classes.relativize(file).toString().replace(".class", "").replace(File.separatorChar, '.');
    }

    /** Returns all test classes; classes that name a faulty class come first. */
    List<String> tests(Fault fault) throws IOException {
        if (isJcstress()) {
            return List.of();
        }
        Path classes = target("test-classes");
        List<String> tests = new ArrayList<>();
        try (Stream<Path> files = Files.walk(classes)) {
            List<Path> all = files.filter(file ->
                            TEST_CLASS.matcher(file.getFileName().toString()).matches())
                    .sorted()
                    .toList();
            List<String> changed = fault.hunks.keySet().stream()
                    .map(file -> file.replaceFirst(".*/src/main/java/", "").replace(".java", ""))
                    .toList();
            for (Path file : all) {
                if (changed.stream().anyMatch(type -> binary(file).contains(type))) {
                    tests.add(className(classes, file));
                }
            }
            for (Path file : all) {
                String name = className(classes, file);
                if (!tests.contains(name)) {
                    tests.add(name);
                }
            }
        }
        return tests;
    }

    Run run(Path planted, Path folder, List<String> tests, int seconds) throws Exception {
        if (isJcstress()) {
            return runJcstress(planted, folder, tests.get(0));
        }
        List<String> classPath = classPath(planted);
        classPath.add(launcher());
        classPath.add(Plant.WORK.resolve("runner").toString());
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(List.of("-ea", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
        command.addAll(options());
        if (tests.get(0).equals("all")) {
            command.add("-Djunit.jupiter.execution.timeout.default=" + EACH_SECONDS + " s");
        }
        command.add("-Dbasedir=" + Path.of(path).toAbsolutePath());
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), "RunTests"));
        command.addAll(tests);
        Path log = log(planted, folder);
        long start = System.nanoTime();
        Process process = new ProcessBuilder(command)
                .directory(new File(path))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = process.waitFor(seconds, TimeUnit.SECONDS);
        long tookSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        if (!ended) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
            return new Run("hang", "", tookSeconds);
        }
        if (process.exitValue() == 0 || process.exitValue() == 3) {
            return new Run(process.exitValue() == 0 ? "" : "nothing", "", tookSeconds);
        }
        return text(log)
                .lines()
                .filter(line -> line.startsWith("FAILED "))
                .map(line -> line.split(" ", 3))
                .map(line -> new Run(line[1], line[2], tookSeconds))
                .findFirst()
                .orElse(new Run("crash", "", tookSeconds));
    }

    /** Returns how and which tests failed in the last run with a planted fault. */
    List<String> failures(Path folder) {
        return text(log(folder, folder))
                .lines()
                .filter(line -> line.startsWith("FAILED "))
                .map(line -> line.substring("FAILED ".length()))
                .toList();
    }

    private Path log(Path planted, Path folder) {
        return folder.resolve((planted == null ? "control-" : "planted-") + name() + ".txt");
    }

    /** Whether the tests are races of jcstress, which JUnit does not run. */
    boolean isJcstress() {
        return path.endsWith("jcstress");
    }

    /** Runs one test of jcstress. Forbidden results are found by an assertion; a test that could not run, by a crash. */
    private Run runJcstress(Path planted, Path folder, String test) throws Exception {
        Path log = log(planted, folder);
        String jar = target("escapement-jcstress.jar").toString();
        long start = System.nanoTime();
        int exitCode = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        planted == null ? jar : planted + File.pathSeparator + jar,
                        "dev.escapement.state.exchange.stress.Verify",
                        "--mode",
                        "sanity",
                        test)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
        long tookSeconds = TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
        boolean isForbidden = text(log).lines().anyMatch(line -> line.matches("FAULT: .* forbidden results"));
        return new Run(exitCode == 0 ? "" : isForbidden ? "assertion" : "crash", test, tookSeconds);
    }

    /** Returns the options that surefire gives to the process of the tests, by the pom.xml of the root, of a parent and of this module. */
    private List<String> options() {
        List<String> options = new ArrayList<>();
        String pom = text(Path.of(path, "pom.xml"));
        String root = text(Path.of("pom.xml"));
        addOptions(root, pom, root, options);
        Path parent = Path.of(path).getParent();
        if (parent != null && !pom.contains("<argLine>") && Files.exists(parent.resolve("pom.xml"))) {
            addOptions(text(parent.resolve("pom.xml")), pom, root, options);
        }
        addOptions(pom, pom, root, options);
        return options;
    }

    private void addOptions(String from, String pom, String root, List<String> options) {
        Matcher line =
                Pattern.compile("<argLine>\\$\\{test.jvm}(.*?)</argLine>").matcher(from);
        if (line.find()) {
            Stream.of(line.group(1).trim().split(" +"))
                    .filter(option -> !option.isEmpty())
                    .forEach(options::add);
        }
        Matcher properties = Pattern.compile("(?s)<systemPropertyVariables>(.*?)</systemPropertyVariables>")
                .matcher(from);
        if (properties.find()) {
            Matcher property = Pattern.compile("<([\\w.-]+)>(.*?)</").matcher(properties.group(1));
            while (property.find()) {
                options.add("-D" + property.group(1) + "=" + value(property.group(2), pom, root));
            }
        }
    }

    private String value(String text, String pom, String root) {
        String value = text.replace("${project.build.directory}", target("").toString())
                .replace("${project.basedir}", Path.of(path).toAbsolutePath().toString())
                .replace(
                        "${maven.multiModuleProjectDirectory}",
                        Path.of("").toAbsolutePath().toString());
        Matcher name = Pattern.compile("\\$\\{(.*?)}").matcher(value);
        while (name.find()) {
            Matcher found = Pattern.compile("<" + Pattern.quote(name.group(1)) + ">(.*?)<")
                    .matcher(pom + root);
            if (found.find()) {
                value = value.replace(name.group(), found.group(1));
            }
        }
        return value;
    }

    /** Compiles files, with a module path instead of a class path if one of them is a descriptor. */
    static void compileAll(List<Path> files, String path, Path classes) throws IOException {
        Files.createDirectories(classes);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter output = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "--release",
                    "17",
                    "-proc:none",
                    "-nowarn",
                    "-parameters",
                    "-g",
                    files.stream().anyMatch(file -> file.endsWith("module-info.java")) ? "--module-path" : "-cp",
                    path,
                    "-d",
                    classes.toString());
            if (!compiler.getTask(output, manager, null, options, null, manager.getJavaFileObjectsFromPaths(files))
                    .call()) {
                throw new Fault.OutOfStep("does not compile: " + output);
            }
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads a file as one character per byte, so that names of classes can be found in it. */
    private static String binary(Path file) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
