package dev.escapement.bench;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The allowed dependencies between modules and packages, and the classes and methods that code must not use. */
@AnalyzeClasses(
        packages = "dev.escapement",
        importOptions = {DoNotIncludeTests.class, ArchitectureTest.NoTestJars.class})
class ArchitectureTest {

    /** Leaves out the test code of other modules, which is on the class path as jars. */
    static final class NoTestJars implements ImportOption {
        @Override
        public boolean includes(Location location) {
            return !location.contains("-tests.jar");
        }
    }

    private static final String OURS = "dev.escapement.";
    private static final String STATE = "dev.escapement.state..";
    private static final String PHYSICS = "dev.escapement.physics..";
    private static final String RENDER = "dev.escapement.render..";
    private static final String BENCH = "dev.escapement.bench..";
    private static final String METRICS = "dev.escapement.micrometer..";
    private static final String MINIE = "dev.escapement.minie..";

    private static final String ENGINES_AND_DEVICES =
            "dev.escapement.physics.(jolt|bullet|ode4j|dyn4j|box2d|physx|sdl)..";
    private static final String BACKENDS = "dev.escapement.render.(lwjgl|jme|libgdx|web)..";

    /** Packages that are neither the shared state nor the core of the physics thread or the render thread. */
    private static final String[] BEYOND_THE_CORE = {
        "dev.escapement.physics.(host|replay|world|contact|platform)..", "dev.escapement.render.(scene|tools).."
    };

    @ArchTest
    static void modulesDependInOneDirection(JavaClasses classes) {
        checkNone(classes, resideInAPackage(PHYSICS), RENDER, BENCH);
        checkNone(classes, resideInAPackage(RENDER), PHYSICS, BENCH);
        checkNone(classes, resideOutsideOfPackages(METRICS), METRICS);
        checkNone(classes, resideOutsideOfPackages(MINIE), MINIE);
        checkNone(
                classes,
                resideInAPackage(PHYSICS).and(resideOutsideOfPackages(ENGINES_AND_DEVICES)),
                ENGINES_AND_DEVICES);
        checkNone(classes, resideInAPackage(RENDER).and(resideOutsideOfPackages(BACKENDS)), BACKENDS);
        checkNone(
                classes,
                resideInAnyPackage(STATE, "dev.escapement.physics", "dev.escapement.physics.(*)", RENDER)
                        .and(resideOutsideOfPackages(BEYOND_THE_CORE))
                        .and(resideOutsideOfPackages(ENGINES_AND_DEVICES))
                        .and(resideOutsideOfPackages(BACKENDS)),
                BEYOND_THE_CORE);
    }

    private static void checkNone(JavaClasses classes, DescribedPredicate<JavaClass> from, String... forbidden) {
        noClasses()
                .that(from)
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage(forbidden)
                .check(classes);
    }

    @ArchTest
    static final ArchRule PACKAGES_HAVE_NO_CYCLES =
            slices().matching("dev.escapement.(**)").should().beFreeOfCycles();

    @ArchTest
    static final ArchRule NO_WALL_CLOCK = noClasses()
            .should()
            .callMethod(System.class, "currentTimeMillis")
            .orShould()
            // A Duration reads no clock.
            .dependOnClassesThat(resideInAPackage("java.time..").and(not(type(Duration.class))))
            .orShould()
            .dependOnClassesThat(type(Date.class).or(type(Calendar.class)));

    private static final List<String> CORE = List.of("shared-state", "physics-thread", "render-thread");

    /**
     * The packages of the core from the bottom up: no class of a package names a class of a later one, neither in its class file nor in its
     * source, imports and comments included. So packages form no circle, and can be read in this order.
     */
    private static final List<String> PACKAGES = List.of(
            "state.internal",
            "state.time",
            "state.thread",
            "state.snapshot",
            "state.event",
            "state.exchange",
            "state.input",
            "state.capture",
            "state.world",
            "physics.usercode",
            "physics.command",
            "physics.restore",
            "physics.simulation",
            "physics.spi",
            "physics.schedule",
            "physics.measure",
            "physics.request",
            "physics.slice",
            "physics.loop",
            "physics.lifecycle",
            "physics",
            "render.interpolation",
            "render.display",
            "render.clock",
            "render");

    @ArchTest
    static void corePackagesNameNoClassAboveThem(JavaClasses classes) throws IOException {
        Set<String> upward = new TreeSet<>();
        for (JavaClass from : classes) {
            from.getDirectDependenciesFromSelf().forEach(to -> {
                JavaClass target = to.getTargetClass().getBaseComponentType();
                addIfUpward(from.getName(), target.getName(), upward);
            });
        }
        Pattern name = Pattern.compile("\\bdev\\.escapement\\.[a-z.]+\\.[A-Z]\\w*");
        for (Path source : coreSources()) {
            Matcher names = name.matcher(Files.readString(source));
            while (names.find()) {
                addIfUpward(typeOf(source), names.group(), upward);
            }
        }
        assertThat(upward)
                .as("References upward in the core, in code and in comments: write {@code} without a package")
                .isEmpty();
    }

    private static void addIfUpward(String from, String to, Set<String> upward) {
        int level = PACKAGES.indexOf(packageOf(from));
        int namedLevel = PACKAGES.indexOf(packageOf(to));
        boolean isBelow = namedLevel >= 0
                && namedLevel <= level
                && !(packageOf(from).startsWith("render") && packageOf(to).startsWith("physics"));
        if (level >= 0 && to.startsWith(OURS) && !isBelow) {
            upward.add(topLevel(from) + " names " + topLevel(to));
        }
    }

    private static String packageOf(String type) {
        return type.startsWith(OURS) ? type.substring(OURS.length(), type.lastIndexOf('.')) : "";
    }

    private static String topLevel(String type) {
        return type.substring(OURS.length()).replaceFirst("[$].*", "");
    }

    /** Returns the source files of the core, without the descriptors of modules. */
    private static List<Path> coreSources() throws IOException {
        List<Path> sources = new ArrayList<>();
        for (String module : CORE) {
            try (Stream<Path> files = Files.walk(Path.of("../..", module, "src/main/java/dev"))) {
                files.filter(Files::isRegularFile).forEach(sources::add);
            }
        }
        return sources;
    }

    private static String typeOf(Path source) {
        return source.toString()
                .replaceFirst("[.]java$", "")
                .replace('\\', '.')
                .replace('/', '.')
                .replaceFirst(".*(?=\\bdev[.])", "");
    }

    /** A package that users do not see is small enough to keep in mind. */
    private static final int MAX_HIDDEN_CLASSES = 16;

    @ArchTest
    static void hiddenPackagesAreSmall(JavaClasses classes) throws IOException {
        Map<String, Integer> sizes = new TreeMap<>();
        for (Path source : coreSources()) {
            sizes.merge(packageOf(typeOf(source)), source.endsWith("package-info.java") ? 0 : 1, Integer::sum);
        }
        assertThat(sizes.keySet()).as("PACKAGES has each package").containsExactlyInAnyOrderElementsOf(PACKAGES);
        for (String module : CORE) {
            String descriptor = Files.readString(Path.of("../..", module, "src/main/java/module-info.java"));
            sizes.keySet().removeIf(name -> descriptor.contains("exports " + OURS + name + ";"));
        }
        sizes.values().removeIf(size -> size <= MAX_HIDDEN_CLASSES);
        assertThat(sizes).isEmpty();
    }

    /** Forbids {@code instanceof} for capabilities. It would miss a capability of a simulation that another simulation wraps. */
    @ArchTest
    static void capabilitiesAreLookedUp(JavaClasses classes) {
        Set<String> capabilities =
                Set.of("dev.escapement.physics.restore.Restorable", "dev.escapement.state.world.ShapeSource");
        assertThat(classes.stream().flatMap(from -> from.getInstanceofChecks().stream()))
                .filteredOn(check -> capabilities.contains(check.getRawType().getName()))
                .isEmpty();
    }

    /** Forbids functions of Math whose results may differ in the last bit between machines. StrictMath gives the same bits everywhere. */
    @ArchTest
    static void worldsAndCapturesGetTheSameBitsFromFunctions(JavaClasses classes) {
        Set<String> packages = Set.of("dev.escapement.bench.demo", "dev.escapement.state.capture");
        assertThat(callsFrom(classes, from -> packages.contains(from.getPackageName())))
                .filteredOn(call -> call.getTargetOwner().isEquivalentTo(Math.class)
                        && call.getName().matches("a?(sin|cos|tan)2?h?|hypot|cbrt|pow|exp|expm1|log.*"))
                .isEmpty();
    }

    /**
     * Forbids functions of Math and StrictMath that allocate arrays since Java 21, because the library must not allocate in a tick. The
     * demonstration computes its own sine and cosine.
     */
    @ArchTest
    static void theLibraryCallsNoFunctionThatAllocates(JavaClasses classes) {
        assertThat(callsFrom(classes, from -> !from.getPackageName().startsWith("dev.escapement.bench")))
                .filteredOn(call -> call.getTargetOwner().isEquivalentTo(StrictMath.class)
                        && call.getName().matches("sin|cos|tan|pow"))
                .isEmpty();
    }

    private static Stream<JavaMethodCall> callsFrom(JavaClasses classes, Predicate<JavaClass> from) {
        return classes.stream().filter(from).flatMap(type -> type.getMethodCallsFromSelf().stream());
    }

    @ArchTest
    static final ArchRule NOBODY_SLEEPS = noClasses().should().callMethod(Thread.class, "sleep", long.class);
}
