import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.gradle.api.Project;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.component.ComponentSelector;
import org.gradle.api.artifacts.component.ModuleComponentSelector;
import org.gradle.api.artifacts.result.UnresolvedDependencyResult;
import org.gradle.nativeplatform.MachineArchitecture;
import org.gradle.nativeplatform.OperatingSystemFamily;
import org.gradle.testfixtures.ProjectBuilder;

/**
 * Checks with Gradle's own resolution the artifacts that were deployed to a folder. All modules resolve. A plain dependency brings the
 * native libraries of all platforms, and a project that asks for one platform gets the libraries of that platform. Writes the class path
 * with which to run a program.
 *
 * <pre>java -cp GRADLE GradleConsumer FOLDER VERSION WORK MODULES CLASS-PATH-FILE</pre>
 */
class GradleConsumer {

    /** The artifacts for Linux also contain the Java classes for all platforms, so each class path has them. */
    private static final Set<String> CLASSES = Set.of("Libbulletjme-Linux64", "jolt-jni-Linux64");

    public static void main(String[] args) throws Exception {
        Project project = project(args, "game");
        dependencies(project, args[1], List.of("escapement-engine-jolt", "escapement-engine-bullet", "escapement-backend-lwjgl"));
        Configuration runtime = project.getConfigurations().getByName("runtimeClasspath");
        check("compiling", natives(project.getConfigurations().getByName("compileClasspath")), CLASSES);
        check("plain", natives(runtime), Set.of(
                "Libbulletjme-Linux64", "Libbulletjme-Linux_ARM64", "Libbulletjme-MacOSX64", "Libbulletjme-MacOSX_ARM64",
                "Libbulletjme-Windows64", "Libbulletjme-Windows_ARM64",
                "jolt-jni-Linux64", "jolt-jni-Linux_ARM64", "jolt-jni-MacOSX64", "jolt-jni-MacOSX_ARM64", "jolt-jni-Windows64"));
        Set<String> mac = new TreeSet<>(CLASSES);
        mac.addAll(Set.of("Libbulletjme-MacOSX_ARM64", "jolt-jni-MacOSX_ARM64"));
        check("Mac", natives(on(project, "macos", "aarch64")), mac);
        Configuration linux = on(project, "linux", "x86-64");
        check("Linux", natives(linux), CLASSES);
        Files.writeString(
                Path.of(args[4]), linux.resolve().stream().map(File::getPath).collect(Collectors.joining(File.pathSeparator)));

        Project everything = project(args, "everything");
        dependencies(everything, args[1], List.of(args[3].split(" ")));
        for (String name : List.of("compileClasspath", "runtimeClasspath")) {
            everything.getConfigurations().getByName(name).getIncoming().getResolutionResult().getAllDependencies().forEach(found -> {
                if (found instanceof UnresolvedDependencyResult unresolved && !isOtherPlatform(unresolved.getAttempted())) {
                    throw new IllegalStateException(name + " lacks " + unresolved, unresolved.getFailure());
                }
            });
        }
        System.out.println("Gradle resolves " + args[3].split(" ").length + " modules, and the right native libraries.");
        System.exit(0); // Gradle leaves threads
    }

    private static Project project(String[] args, String name) throws Exception {
        Path work = Path.of(args[2]);
        Project project = ProjectBuilder.builder()
                .withProjectDir(Files.createDirectories(work.resolve(name)).toFile())
                .withGradleUserHomeDir(Files.createDirectories(work.resolve("home")).toFile())
                .build();
        project.getPluginManager().apply("java");
        project.getRepositories().maven(folder -> {
            folder.setUrl(new File(args[0]).toURI());
            folder.content(ours -> ours.includeGroup("dev.escapement"));
        });
        project.getRepositories().mavenCentral();
        return project;
    }

    private static void dependencies(Project project, String version, List<String> modules) {
        var dependencies = project.getDependencies();
        dependencies.add("implementation", dependencies.platform("dev.escapement:escapement-bom:" + version));
        modules.forEach(module -> dependencies.add("implementation", "dev.escapement:" + module));
    }

    private static Configuration on(Project project, String system, String architecture) {
        Configuration runtime = project.getConfigurations().getByName("runtimeClasspath").copyRecursive();
        runtime.getAttributes()
                .attribute(
                        OperatingSystemFamily.OPERATING_SYSTEM_ATTRIBUTE,
                        project.getObjects().named(OperatingSystemFamily.class, system))
                .attribute(
                        MachineArchitecture.ARCHITECTURE_ATTRIBUTE,
                        project.getObjects().named(MachineArchitecture.class, architecture));
        return runtime;
    }

    /** The engines' artifacts that a class path requests, whether or not the registry has them. */
    private static Set<String> natives(Configuration classPath) {
        return classPath.getIncoming().getResolutionResult().getAllDependencies().stream()
                .map(found -> found.getRequested())
                .filter(ModuleComponentSelector.class::isInstance)
                .map(asked -> ((ModuleComponentSelector) asked).getModule())
                .filter(name -> name.matches("(jolt-jni|Libbulletjme)-.*"))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Whether a request is for a native library of Jolt for another platform than Linux. Some registries lack these. */
    private static boolean isOtherPlatform(ComponentSelector asked) {
        return asked instanceof ModuleComponentSelector module
                && module.getModule().startsWith("jolt-jni-")
                && !CLASSES.contains(module.getModule());
    }

    private static void check(String what, Set<String> found, Set<String> expected) {
        if (!found.equals(expected)) {
            throw new IllegalStateException(what + ": " + found + " instead of " + new TreeSet<>(expected));
        }
    }
}
