package dev.escapement.physics.jolt;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.module.ModuleDescriptor.Version;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What the adapter and the world of its tests need of jolt-jni, as lines of text, and the listing of the versions that have each of them.
 * {@link #main} prints the listing, for compiled classes of the versions.
 *
 * <p>A line is {@code KIND MEMBER}. The kinds say how the JVM links a member: {@code virtual}, {@code interface}, {@code static}, {@code
 * final} (cannot be overridden), {@code new} or {@code super} (a constructor). The line {@code is A B} says that class A extends or
 * implements B, and the line {@code constant NAME VALUE} has a value that javac has copied into the adapter.
 */
final class JoltListing {

    /** The classes of the tests' world. */
    private static final List<String> WORLD = List.of("JoltGameWorld", "BoxGame");

    private static final List<String> CONSTANTS = List.of("Jolt.cMaxPhysicsJobs", "enumerate/EPhysicsUpdateError.None");

    /** The classes that the adapter extends, and does not create themselves. */
    private static final Set<String> EXTENDED = Set.of(
            "CustomContactListener",
            "CustomCastRayCollector",
            "CustomCollideShapeCollector",
            "CustomCastShapeCollector");

    private static final String PACKAGE = "com.github.stephengold.joltjni.";

    /** The name of a class in a descriptor. */
    private static final Pattern CLASS = Pattern.compile("L~([^;]*);");

    /** The tags of jolt-jni, the oldest first. */
    final List<String> versions;

    /** The first and the last version of each unbroken range that has a line. */
    private final Map<String, List<String[]>> ranges = new LinkedHashMap<>();

    private JoltListing(List<String> versions) {
        this.versions = versions;
    }

    /** Reads the listing in the resources of the tests. */
    static JoltListing read() {
        try (InputStream in = JoltListing.class.getResourceAsStream("members.txt")) {
            List<String> lines = new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList();
            JoltListing listing = new JoltListing(List.of(lines.get(0).split(" ", -1)));
            for (String line : lines.subList(1, lines.size())) {
                String[] parts = line.split(" ", 3);
                listing.ranges
                        .computeIfAbsent(parts[2], need -> new ArrayList<>())
                        .add(new String[] {parts[0], parts[1]});
            }
            return listing;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the lines that a version has. */
    Set<String> of(String version) {
        Set<String> lines = new TreeSet<>();
        Version asked = Version.parse(version);
        ranges.forEach((line, found) -> {
            for (String[] range : found) {
                if (asked.compareTo(Version.parse(range[0])) >= 0 && asked.compareTo(Version.parse(range[1])) <= 0) {
                    lines.add(line);
                }
            }
        });
        return lines;
    }

    /** Returns what the classes of the adapter and of the tests' world need, as the version on the class path has it. */
    static Set<String> needs() {
        Set<JoltMember> members = new TreeSet<>(Comparator.comparing(JoltMember::toString));
        JoltNatives.CALLERS.forEach(caller -> members.addAll(JoltMember.referredBy(caller)));
        WORLD.forEach(caller -> members.addAll(JoltMember.referredBy(caller)));
        return lines(members, JoltListing.class.getClassLoader());
    }

    /** Returns the lines of the variants of the calls that differ, as a loader has them. */
    static Set<String> variants(ClassLoader loader) {
        Set<String> lines = new TreeSet<>();
        JoltCalls.variants().forEach(call -> call.forEach(variant -> lines.add(line(JoltMember.of(variant), loader))));
        lines.remove("");
        return lines;
    }

    private static Set<String> lines(Set<JoltMember> members, ClassLoader loader) {
        Set<String> lines = new TreeSet<>();
        Set<String> classes = new TreeSet<>();
        for (JoltMember member : members) {
            lines.add(line(member, loader));
            classes.add(member.owner().substring(1));
            CLASS.matcher(member.descriptor()).results().forEach(found -> classes.add(found.group(1)));
        }
        for (String name : classes) {
            for (String of : classes) {
                lines.add(relation(name, of, loader));
            }
        }
        CONSTANTS.forEach(name -> lines.add(constant(name, loader)));
        lines.remove("");
        return lines;
    }

    /** Returns the line of a member; nothing if the classes of a loader do not have it. */
    private static String line(JoltMember member, ClassLoader loader) {
        MethodHandle found = member.find(loader);
        Class<?> owner = load(member.owner().substring(1), loader);
        if (found == null || owner == null) {
            return "";
        }
        if (member.name().equals("class")) {
            return (owner.isInterface() ? "interface " : "class ") + member;
        }
        if (member.name().equals("<init>")) {
            int modifiers = owner.getModifiers();
            boolean isExtended = EXTENDED.contains(owner.getSimpleName()) && !Modifier.isFinal(modifiers);
            return (isExtended ? "super " : Modifier.isAbstract(modifiers) ? "abstract " : "new ") + member;
        }
        int modifiers = MethodHandles.reflectAs(Member.class, found).getModifiers();
        if (Modifier.isStatic(modifiers)) {
            return "static " + member;
        }
        return (owner.isInterface() ? "interface " : Modifier.isFinal(modifiers) ? "final " : "virtual ") + member;
    }

    private static String relation(String name, String of, ClassLoader loader) {
        Class<?> subclass = load(name, loader);
        Class<?> superclass = load(of, loader);
        boolean isOne = subclass != null && superclass != null && superclass.isAssignableFrom(subclass);
        return isOne && subclass != superclass ? "is " + name + " " + of : "";
    }

    private static String constant(String name, ClassLoader loader) {
        int dot = name.indexOf('.');
        try {
            Class<?> in = load(name.substring(0, dot), loader);
            return in == null
                    ? ""
                    : "constant " + name + " "
                            + in.getField(name.substring(dot + 1)).get(null);
        } catch (ReflectiveOperationException e) {
            return "";
        }
    }

    private static @Nullable Class<?> load(String name, ClassLoader loader) {
        try {
            return Class.forName(PACKAGE + name.replace('/', '.'), false, loader);
        } catch (ClassNotFoundException e) {
            return null;
        }
    }

    /** Returns whether the classes of a loader have the member, relation or constant of a line. */
    private static boolean has(String line, ClassLoader loader) {
        String[] parts = line.split(" ", -1);
        return switch (parts[0]) {
            case "is" -> relation(parts[1], parts[2], loader).equals(line);
            case "constant" -> constant(parts[1], loader).equals(line);
            default -> line(member(parts[1]), loader).equals(line);
        };
    }

    private static JoltMember member(String text) {
        Matcher constant = Pattern.compile("(.*)\\.(\\w+)(:.*)").matcher(text);
        return constant.matches()
                ? new JoltMember("~" + constant.group(1), constant.group(2), constant.group(3))
                : JoltMember.of(text);
    }

    /**
     * Prints the listing. Run it with the oldest version on the class path.
     *
     * @param classes each version, oldest first, and after it the folder or jar with its compiled classes
     */
    public static void main(String[] classes) throws IOException {
        List<String> versions = new ArrayList<>();
        List<ClassLoader> loaders = new ArrayList<>();
        for (int i = 0; i < classes.length; i += 2) {
            URL[] folder = {Path.of(classes[i + 1]).toUri().toURL()};
            versions.add(classes[i]);
            loaders.add(new URLClassLoader(folder, ClassLoader.getPlatformClassLoader()));
        }
        Set<String> lines = needs();
        loaders.forEach(loader -> lines.addAll(variants(loader)));
        StringBuilder listing = new StringBuilder(String.join(" ", versions)).append('\n');
        for (String line : lines) {
            String first = "";
            for (int i = 0; i < versions.size(); i++) {
                if (has(line, loaders.get(i))) {
                    first = first.isEmpty() ? versions.get(i) : first;
                    if (i + 1 == versions.size() || !has(line, loaders.get(i + 1))) {
                        listing.append(first + " " + versions.get(i) + " " + line + "\n");
                        first = "";
                    }
                }
            }
        }
        System.out.print(listing);
    }
}
